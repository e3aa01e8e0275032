import type { Command } from 'commander';
import { applyTopology, diffTopology } from '../commands/topology.ts';
import { examples, type Run } from './parts.ts';

/** `warren topology …`. */
export function addTopology(program: Command, run: Run): void {
  const topology = program.command('topology').description('exchanges, queues and bindings');
  topology
    .command('apply')
    .description('declare everything that is missing; deletes and changes nothing')
    .addHelpText('after', examples('warren topology apply'))
    .action(() => run(applyTopology));
  topology
    .command('diff')
    .description('say what is missing or different at the broker; changes nothing')
    .addHelpText(
      'after',
      examples(
        'warren topology diff',
        'WARREN_MANAGEMENT_URL=http://127.0.0.1:15672 warren topology diff',
      ),
    )
    .action(() => run(diffTopology));
}
