import { newJobId } from '@warren/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';

interface Place {
  readonly root: string;
  readonly ending: string;
  readonly line: number;
}

const error = (
  { root, ending, line }: Place,
  message = 'no such mailbox',
  name = 'SmtpError [EENV]',
) =>
  [
    `attempt 5: ${name}: ${message}`,
    '    said twice',
    `    at sendMail (${root}/email/domain/send-mail.${ending}:${line}:${line + 2})`,
    `    at async Object.handle [as run] (${root}/email/handle.${ending}:${line}:7)`,
    `    at async run (/opt/node_modules/${'pkg'}${line}/index.js:1:${line})`,
    `    at process.processTicksAndRejections (node:internal/process/task_queues:${line}:5)`,
    `attempt 4: Error: earlier ${line}`,
  ].join('\n');

const place = fc.record({
  root: fc.constantFrom(
    '/app/services',
    '/build/dist/services',
    'file:///srv/build',
    'C:\\jobs\\src',
  ),
  ending: fc.constantFrom('ts', 'js', 'mjs'),
  line: fc.nat({ max: 9_999 }),
});
const home = { root: '/app/services', ending: 'ts', line: 1 };

describe('fingerprintOf', () => {
  it('is the same in every build, on every line, for every message', () => {
    fc.assert(
      fc.property(place, fc.stringMatching(/^[a-z0-9 ]{0,40}$/), (where, message) => {
        expect(fingerprintOf(error(where, message)).fingerprint).toBe(
          fingerprintOf(error(home)).fingerprint,
        );
      }),
    );
  });

  it('tells classes, codes, functions and files apart', () => {
    const texts = [
      error(home),
      error(home, 'x', 'SmtpError [ETIME]'),
      error(home, 'x', 'TypeError'),
      error(home).replace('sendMail', 'sendAll'),
      error(home).replace('send-mail', 'send-all'),
    ];
    const found = texts.map((text) => fingerprintOf(text).fingerprint);
    expect(new Set(found).size).toBe(texts.length);
    expect(found[0]).toMatch(/^[\da-f]{12}$/);
  });

  it('does not change with what calls the handler', () => {
    const of = (caller: string) =>
      fingerprintOf(
        error(home).replace(
          '    at process',
          `    at ${caller}\n    at async f (/app/x/y.ts:1:1)\n    at p`,
        ),
      ).fingerprint;
    const calls = [
      'runLogged (/app/libs/worker/src/run-handler.ts:90:9)',
      'call (/app/libs/worker/dist/run-handler.js:9:9)',
      'captureLogs (file:///app/libs/telemetry/src/log-capture.ts:41:3)',
    ];
    expect(calls.map(of)).toEqual(calls.map(() => fingerprintOf(error(home)).fingerprint));
  });

  it('folds ids, numbers and addresses of a message that has no frames', () => {
    const text = (id: string, count: number, user: string) =>
      `attempt ${count}: Error: order ${id} of ${user}@example.org has ${count} items`;
    const first = fingerprintOf(text(newJobId(), 1, 'a.b')).fingerprint;
    fc.assert(
      fc.property(fc.uuid(), fc.nat(), fc.stringMatching(/^[a-z]{1,9}$/), (id, count, user) => {
        expect(fingerprintOf(text(id, count, user)).fingerprint).toBe(first);
      }),
    );
    expect(fingerprintOf('attempt 1: Error: another thing').fingerprint).not.toBe(first);
  });

  it.each([
    ['attempt 3: TypeError: a\n    b', 'TypeError', 'TypeError: a'],
    ['attempt 1: Error [ECONN]: x', 'Error [ECONN]', 'Error [ECONN]: x'],
    ['Error: foreign', 'Error', 'Error: foreign'],
    ["attempt 1: thrown value 'x'", undefined, "thrown value 'x'"],
    ['', undefined, ''],
  ])('reads class and first line of %j', (text, errorClass, headline) => {
    expect(fingerprintOf(text)).toMatchObject({ errorClass, headline });
  });

  it('without an error is that of the reason', () => {
    const of = (reason?: string) => fingerprintOf(undefined, reason).fingerprint;
    expect(of('expired')).toBe(of('expired'));
    expect(new Set([of('expired'), of('maxlen'), of()]).size).toBe(3);
  });

  it('never fails, whatever the header holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(fingerprintOf(`x\n    at ${text}`).fingerprint).toMatch(/^[\da-f]{12}$/);
        expect(fingerprintOf(text).fingerprint).toMatch(/^[\da-f]{12}$/);
      }),
    );
  });
});
