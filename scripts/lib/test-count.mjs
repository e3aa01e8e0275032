import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { ROOT } from './root.mjs';

/**
 * Counts from vitest's JSON report. A file that failed without a failed test of its own (it did not load, or
 * a hook threw) counts as one failure; so does a run that failed without any (exit code, no report, no tests).
 */
export function countTests(reportFile, exitCode) {
  const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : undefined;
  const files = report?.testResults ?? [];
  const states = files.flatMap((file) => file.assertionResults.map(({ status }) => status));
  const count = (status) => states.filter((state) => state === status).length;
  const broken = files.filter(isBroken).length;
  const [passed, failedTests] = [count('passed'), count('failed') + broken];
  const failed = failedTests || (exitCode !== 0 || passed === 0 ? 1 : 0);
  const skipped = states.length - passed - count('failed');
  return { passed, failed, skipped, failures: files.flatMap(failuresOf) };
}

/** `file: test: first line of what was wrong`, one for each failure that has a name. */
function failuresOf(file) {
  const name = relative(ROOT, file.name ?? '');
  if (isBroken(file)) return [`${name}: ${firstLine(file.message)}`];
  return file.assertionResults
    .filter(({ status }) => status === 'failed')
    .map((test) => `${name}: ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`);
}

function firstLine(text) {
  return String(text ?? 'no message').split('\n', 1)[0];
}

function isBroken(file) {
  return (
    file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed')
  );
}

/** `N passed, N failed`, and `, N skipped` when some were. */
export function countLine({ passed, failed, skipped }) {
  const line = `${passed} passed, ${failed} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}
