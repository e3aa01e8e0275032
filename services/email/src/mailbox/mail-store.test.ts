import { expect, it } from 'vitest';
import { createMailStore, type ReceivedMail } from './mail-store.ts';

const mail = (id: string): ReceivedMail => ({
  id,
  jobId: null,
  messageId: null,
  from: '',
  to: '',
  subject: '',
  text: null,
  html: null,
  replyTo: null,
  attachments: [],
  receivedAt: '',
});

it('keeps the last mails, newest first', () => {
  const store = createMailStore(2);
  for (const id of ['a', 'b', 'c']) store.add(mail(id));
  expect(store.list().map(({ id }) => id)).toEqual(['c', 'b']);
  expect(store.find('b')?.id).toBe('b');
  expect(store.find('a')).toBeUndefined();
});

it('has another revision after each change', () => {
  const store = createMailStore(2);
  const revisions = [store.revision()];
  store.add(mail('a'));
  revisions.push(store.revision());
  store.clear();
  revisions.push(store.revision());
  expect(new Set(revisions).size).toBe(3);
  expect(store.list()).toEqual([]);
});
