import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeMail } from './compose-mail.ts';

const payload = { to: 'a@example.org', subject: 'Hi', text: 'Hello' };
const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('composeMail', () => {
  it('names the job in the Message-ID, at the domain of the sender', () => {
    expect(composeMail({ id: ID, payload }, 'Shop <shop@mail.example.org>')).toEqual({
      ...payload,
      jobId: ID,
      messageId: `<${ID}@mail.example.org>`,
      from: 'Shop <shop@mail.example.org>',
    });
  });

  it('carries where to reply to, and files as bytes', () => {
    const attachments = [{ filename: 'a.txt', contentType: 'text/plain', content: 'w6Q=' }];
    const replyTo = 'help@example.org';
    const mail = composeMail({ id: ID, payload: { ...payload, replyTo, attachments } }, 'a@b.c');
    expect(mail.replyTo).toBe(replyTo);
    expect(mail.attachments).toEqual([
      { filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('ä') },
    ]);
  });

  it('has the same Message-ID for every attempt', () => {
    const first = composeMail({ id: ID, payload }, 'shop@example.org');
    expect(composeMail({ id: ID, payload }, 'shop@example.org')).toEqual(first);
  });

  it('makes a header out of any id, and different ones out of different ids', () => {
    const jobIdOf = (id: string): string => composeMail({ id, payload }, 'a@b.c').jobId;
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (id, other) => {
        expect(jobIdOf(id)).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
        expect(jobIdOf(id) === jobIdOf(other)).toBe(id === other);
      }),
    );
    expect(jobIdOf('x\r\nBcc: evil@example.org')).toMatch(/^sha256-[0-9a-f]{64}$/);
  });
});
