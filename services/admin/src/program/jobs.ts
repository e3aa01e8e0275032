import { JOB_STATES } from '@warren/history';
import { type Command, Option } from 'commander';
import { cancelJob, retryJob } from '../commands/job-changes.ts';
import { type ListJobsOptions, listJobs, showJob, showLogs } from '../commands/job-looks.ts';
import type { OneJobOptions } from '../commands/with-job.ts';
import { examples, limit, type Run, withJson } from './parts.ts';

const MAX_LIST = 1_000;

/** `warren jobs …`: what the store knows. */
export function addJobs(program: Command, run: Run): void {
  const jobs = program.command('jobs').description('single jobs, by the store');
  jobs
    .command('list')
    .description('list jobs, the newest first')
    .option('--type <type>', 'of this job type')
    .addOption(new Option('--state <states...>', 'in one of these states').choices(JOB_STATES))
    .option(
      '--search <text>',
      'how the id or the correlation id begins, or a part of the error, among the newest 10,000 with one',
    )
    .addOption(limit(`jobs at most, up to ${MAX_LIST}`, MAX_LIST).default(20))
    .option('--cursor <cursor>', 'where the list before ended')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('warren jobs list --type email.send --state dead retrying'))
    .action((options: ListJobsOptions) => run((admin) => listJobs(admin, options)));
  one(jobs, run, 'show', 'show all that is known of a job', showJob)
    .option('--show-pii', 'show its result, which may hold personal data')
    .option('--json', 'print JSON');
  one(jobs, run, 'logs', 'show what a job has logged', showLogs)
    .option('-f, --follow', 'go on until it has ended')
    .option('--json', 'print a line of JSON for each');
  const cancel = one(jobs, run, 'cancel', 'ask the workers to end a job', cancelJob);
  withJson(cancel.option('--reason <text>', 'why, for the audit'), 'id, queue, state, asked');
  const retry = one(jobs, run, 'retry', 'replay the dead letter of a job', retryJob);
  withJson(
    retry.option('--reason <text>', 'why, for the audit'),
    'id, queue, replayedTo, generation, problem',
  );
}

function one(
  jobs: Command,
  run: Run,
  name: string,
  description: string,
  action: typeof showJob,
): Command {
  return jobs
    .command(name)
    .description(description)
    .argument('<id>', 'of the job')
    .option('--queue <queue>', 'of several with this id, the one of this job type or subscriber')
    .addHelpText('after', examples(`warren jobs ${name} 0197f2…`))
    .action((id: string, options: OneJobOptions) => run((admin) => action(admin, id, options)));
}
