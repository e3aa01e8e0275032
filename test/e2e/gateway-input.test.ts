import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AmqpAdmin, sharedBrokerUrl } from '@warren/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway, takeIds } from './support/gateway.ts';
import { type Answer, acceptedId, mailJob, postJob } from './support/http.ts';

const run = promisify(execFile);
const brokerUrl = sharedBrokerUrl();
const TWENTY_MB = 20_000_000;

let gateway: GatewayProcess;
let admin: AmqpAdmin;
beforeAll(async () => {
  gateway = await startGateway(brokerUrl);
  admin = await AmqpAdmin.connect(brokerUrl);
});
afterAll(async () => {
  await admin?.close();
  await gateway?.dispose();
});

const job = mailJob('Never sent');
const text = JSON.stringify(job);
const withPayload = (more: object) => ({ ...job, payload: { ...job.payload, ...more } });
/** `"more"` spliced in as text, for what JSON.stringify would not write. */
const spliced = (into: string, more: string) => text.replace(into, `${into}${more},`);

type Row = [name: string, body: unknown, expected: string, headers?: Record<string, string>];

const ROWS: Row[] = [
  ['no JSON', '{"type": "email.send",', '400 BAD_REQUEST body'],
  ['an unknown type', { ...job, type: 'email.sent' }, '422 UNKNOWN_JOB_TYPE type'],
  ['a wrong address', withPayload({ to: 'nobody' }), '422 PAYLOAD_INVALID payload.to'],
  ['no content', withPayload({ text: undefined }), '422 PAYLOAD_INVALID payload.text'],
  [
    'a header in the subject',
    withPayload({ subject: 'a\r\nBcc: b@example.org' }),
    '422 PAYLOAD_INVALID payload.subject',
  ],
  [
    'an unknown member of the payload',
    withPayload({ cc: 'a@example.org' }),
    '422 PAYLOAD_INVALID payload.cc',
  ],
  [
    'a payload over its type’s limit',
    withPayload({ text: 'x'.repeat(9 * 1024 * 1024) }),
    '413 PAYLOAD_TOO_LARGE payload',
  ],
  ['20 MB', withPayload({ text: 'x'.repeat(TWENTY_MB) }), '413 PAYLOAD_TOO_LARGE body'],
  ['an unknown option', { ...job, prioritee: 9 }, '400 BAD_REQUEST prioritee'],
  ['an id that is none', { ...job, id: 'order-17' }, '400 BAD_REQUEST id'],
  [
    'a reserved header',
    { ...job, headers: { 'x-attempt': 5 } },
    '400 BAD_REQUEST headers.x-attempt',
  ],
  [
    '__proto__ in the envelope',
    spliced('{', '"__proto__":{"polluted":1}'),
    '400 BAD_REQUEST __proto__',
  ],
  [
    '__proto__ in the payload',
    spliced('"payload":{', '"__proto__":{"polluted":1}'),
    '400 BAD_REQUEST payload.__proto__',
  ],
  [
    '__proto__ among headers',
    spliced('{', '"headers":{"__proto__":{"x-attempt":5}}'),
    '400 BAD_REQUEST headers.__proto__',
  ],
  [
    'a form',
    'type=email.send',
    '415 BAD_REQUEST content-type',
    { 'content-type': 'application/x-www-form-urlencoded' },
  ],
  ['a compressed body', text, '415 BAD_REQUEST content-encoding', { 'content-encoding': 'gzip' }],
  ['an idempotency key', text, '400 BAD_REQUEST idempotency-key', { 'idempotency-key': 'a' }],
];

/** Status, code and the first field of an answer. */
const summary = ({ status, body }: Answer) => `${status} ${body.code} ${body.errors?.[0]?.field}`;

describe('what a gateway refuses', () => {
  it.each(ROWS)('%s', async (_name, body, expected, headers) => {
    const answer = await postJob(gateway.url, body, headers);
    expect(summary(answer)).toBe(expected);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await admin.depth(gateway.queue)).toBe(0);
  });

  it('20 MB from curl, which reads the answer while it sends', async () => {
    const script = `head -c ${TWENTY_MB} /dev/zero | curl --silent --show-error --data-binary @- \
      -H 'content-type: application/json' ${gateway.url}/v1/jobs`;
    const { stdout, stderr } = await run('/bin/sh', ['-c', script]);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
  });

  it.each([[{ '!': 'timestamp', value: 'boom' }], [{ '!': 'void' }], [[1, 2]], [null]])(
    'a header that picks its type on the wire, 100 times: %j',
    async (value) => {
      const body = { ...job, headers: { trick: value } };
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => postJob(gateway.url, body)),
      );
      expect(new Set(answers.map(summary))).toEqual(new Set(['400 BAD_REQUEST headers.trick']));
      expect(await admin.depth(gateway.queue)).toBe(0);
    },
  );

  it('and still works after all of that', async () => {
    const id = await acceptedId(gateway.url, { ...job, headers: { tenant: 'a', urgent: true } });
    expect(await takeIds(brokerUrl, gateway.queue)).toEqual(new Set([id]));
    expect(gateway.program.stdout).not.toMatch(/"level":"(error|fatal)"/);
    expect(gateway.program.stderr).toBe('');
  });
});
