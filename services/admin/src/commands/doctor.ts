import { doctorFacts } from '../data-access/doctor-facts.ts';
import { examine } from '../domain/doctor/examine.ts';
import type { CheckResult, Finding } from '../domain/doctor/finding.ts';
import { type ExitCode, exitCodeOf } from '../exit-codes.ts';
import { type Admin, withSession } from '../open-session.ts';
import { choosePaint, type Paint } from '../text/paint.ts';
import { visible, visibleJson } from '../text/visible.ts';

export interface DoctorOptions {
  readonly production?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** `warren doctor`: looks at a live installation, and changes nothing. */
export async function showDoctor(admin: Admin, options: DoctorOptions): Promise<ExitCode> {
  const { shell } = admin;
  const { found, code } = await consult(admin, options);
  const paint = choosePaint(shell.isTerminal, shell.env);
  shell.out(
    options.json
      ? `${visibleJson({ findings: found }, 2)}\n`
      : `${[...found.map((finding) => line(finding, paint)), summary(found)].join('\n')}\n`,
  );
  return code ?? (found.some(({ result }) => result === 'problem') ? 1 : 0);
}

async function consult(
  admin: Admin,
  options: DoctorOptions,
): Promise<{ readonly found: Finding[]; readonly code?: ExitCode }> {
  try {
    const facts = await withSession(admin, (session) => doctorFacts(admin, session));
    return { found: examine(facts, options) };
  } catch (error) {
    const finding: Finding = {
      check: 'broker',
      result: 'problem',
      finding: (error as Error).message,
      advice: 'docs/runbook.md, RabbitMQDown',
    };
    return { found: [finding], code: exitCodeOf(error) };
  }
}

const MARKS: Readonly<Record<CheckResult, Parameters<Paint>>> = {
  ok: ['green', 'ok     '],
  warning: ['yellow', 'warning'],
  problem: ['red', 'problem'],
  'not checkable': ['dim', '-      '],
};

function line({ check, result, finding, advice }: Finding, paint: Paint): string {
  const [style, mark] = MARKS[result];
  const says = result === 'not checkable' ? `not checkable: ${finding}` : finding;
  const told = `${paint(style, mark)} ${check.padEnd(16)} ${visible(says)}`;
  return advice === undefined ? told : `${told}\n${' '.repeat(25)}${visible(advice)}`;
}

function summary(found: readonly Finding[]): string {
  const count = (result: CheckResult) => found.filter((one) => one.result === result).length;
  return `${count('problem')} problems, ${count('warning')} warnings, ${count('not checkable')} not checkable, ${count('ok')} ok.`;
}
