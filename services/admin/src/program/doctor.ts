import type { Command } from 'commander';
import { type DoctorOptions, showDoctor } from '../commands/doctor.ts';
import { examples, type Run } from './parts.ts';

/** `warren doctor`; as `warren topology doctor` the same, for who looks for it there. */
export function addDoctor(program: Command, run: Run, name = 'warren doctor'): void {
  program
    .command('doctor')
    .description('what is wrong with a live installation, and what to do; changes nothing')
    .option('--production', 'also what a production needs: users, TLS, size, limits')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      [
        '',
        'Each check is ok, a warning, a problem (exit code 1), or not checkable with this user and',
        "without RabbitMQ's management API (WARREN_MANAGEMENT_URL). Warnings alone: exit code 0.",
        'Messages that are seen leaving a queue are looked for again after 6 s: those that stay are stuck.',
        examples(name, `WARREN_MANAGEMENT_URL=http://127.0.0.1:15672 ${name} --production`),
      ].join('\n'),
    )
    .action((options: DoctorOptions) => run((admin) => showDoctor(admin, options)));
}
