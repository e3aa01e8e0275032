import { describe, expect, it } from 'vitest';
import { explainMismatch, isOtherRetention } from './mismatch.ts';

/** As amqplib passes on what RabbitMQ 3.10.8 and 4.3.6 answer. */
function refused(text: string): string {
  return `Channel closed by server: 406 (PRECONDITION-FAILED) with message "PRECONDITION_FAILED - ${text}"`;
}

describe('explainMismatch', () => {
  it.each([
    [
      `inequivalent arg 'x-delivery-limit' for queue 'email.send' in vhost '/': received '20' but current is '1000'`,
      'argument x-delivery-limit is 1000 at the broker, this version declares 20.',
    ],
    [
      `inequivalent arg 'x-delivery-limit' for queue 'email.send' in vhost '/': received none but current is the value '1000' of type 'short'`,
      'argument x-delivery-limit is 1000 at the broker, this version declares none.',
    ],
    [
      `inequivalent arg 'x-dead-letter-exchange' for queue 'email.send' in vhost '/': received the value 'jobs.dead' of type 'longstr' but current is none`,
      'argument x-dead-letter-exchange is none at the broker, this version declares jobs.dead.',
    ],
    [
      `inequivalent arg 'x-queue-type' for queue 'email.send' in vhost '/': received none but current is the value 'quorum' of type 'longstr'`,
      'argument x-queue-type is quorum at the broker, this version declares none.',
    ],
    [
      `inequivalent arg 'x-queue-type' for queue 'email.send' in vhost '/': received 'classic' but current is 'quorum'`,
      'argument x-queue-type is quorum at the broker, this version declares classic.',
    ],
    [
      `inequivalent arg 'durable' for queue 'email.send' in vhost '/': received 'false' but current is 'true'`,
      'argument durable is true at the broker, this version declares false.',
    ],
  ])('tells queue, argument and both values: %s', (text, part) => {
    const said = explainMismatch(refused(text));
    expect(said).toContain('queue email.send (vhost /): ');
    expect(said).toContain(part);
    expect(said).toContain('"npx warren topology migrate email.send"');
  });

  it.each(['email.send.dead', 'shop.email.send.dead', 'jobs.unroutable', 'shop.jobs.unroutable'])(
    'has no worker stopped for %s, which none consumes',
    (queue) => {
      const text = `inequivalent arg 'x-delivery-limit' for queue '${queue}' in vhost '/': received '20' but current is '1000'`;
      const said = explainMismatch(refused(text));
      expect(said).toContain(`to the new one: "npx warren topology migrate ${queue}"`);
    },
  );

  it.each(['retry.250ms', 'shop.retry.24h'])('says who knows how to change %s', (queue) => {
    const text = `inequivalent arg 'x-delivery-limit' for queue '${queue}' in vhost '/': received '20' but current is '1000'`;
    expect(explainMismatch(refused(text))).toContain(`migrate ${queue}" says how.`);
  });

  it('tells how to get rid of an exchange, which holds no messages', () => {
    const text = `inequivalent arg 'type' for exchange 'jobs' in vhost '/': received 'direct' but current is 'topic'`;
    const said = explainMismatch(refused(text));
    expect(said).toContain('exchange jobs (vhost /): argument type is topic at the broker');
    expect(said).toContain('"rabbitmqadmin delete exchange name=jobs"');
  });

  it('names the vhost in its advice, lest a namesake in another one be deleted', () => {
    const exchange = `inequivalent arg 'x-a' for exchange 'x' in vhost 'prod': received '1' but current is '2'`;
    expect(explainMismatch(refused(exchange))).toContain('rabbitmqadmin --vhost=prod delete');
  });

  it('tells what a stream with other bounds does, and knows one', () => {
    const text = `inequivalent arg 'x-max-age' for queue 'jobs.history' in vhost '/': received '2D' but current is '1D'`;
    const said = explainMismatch(refused(text));
    expect(said).toContain(
      'x-max-age is 1D at the broker, this version declares 2D. The stream goes on',
    );
    expect(isOtherRetention(refused(text))).toBe(true);
  });

  it.each([
    `inequivalent arg 'x-max-length-bytes' for queue 'email.send' in vhost '/': received none but current is the value '1' of type 'signedint'`,
    `inequivalent arg 'x-queue-type' for queue 'jobs.history' in vhost '/': received 'stream' but current is 'quorum'`,
  ])('takes nothing else for a stream with other bounds: %s', (text) => {
    expect(isOtherRetention(refused(text))).toBe(false);
  });

  it('leaves other refusals to their own words', () => {
    expect(explainMismatch(refused(`invalid arg 'x-message-ttl' for queue 'q'`))).toBeUndefined();
    expect(explainMismatch(`NOT_FOUND - no queue 'q' in vhost '/'`)).toBeUndefined();
    expect(explainMismatch('')).toBeUndefined();
  });
});
