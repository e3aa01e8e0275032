import { describe, expect, it } from 'vitest';
import { greeting } from './greeting.ts';

const gatewayUrl = 'http://127.0.0.1:3000';

const found = { url: 'amqp://guest:guest@127.0.0.1:5672', origin: 'localhost' } as const;

describe('greeting', () => {
  it.each([
    [
      'one that was started on another port',
      { url: 'amqp://guest:guest@127.0.0.1:15743', origin: 'private node' },
      'Commands  AMQP_URL=amqp://guest:guest@127.0.0.1:15743 npx warren queues',
    ],
    [
      'one that was named',
      { url: 'amqp://ada:hush@far.example/shop', origin: 'AMQP_URL' },
      expect.stringMatching(
        /^Commands {2}npx warren queues, with the AMQP_URL .*@far\.example\/shop$/,
      ),
    ],
  ] as const)(
    'has a fifth line where commands would not find the broker: %s',
    (_, broker, line) => {
      const text = greeting({ gatewayUrl, needsKey: false, mailboxUrl: undefined, broker });
      expect(text.split('\n')).toHaveLength(5);
      expect(text.split('\n')[3]).toEqual(line);
      expect(text).not.toContain('hush');
    },
  );

  it('has four lines: gateway, mailbox, console, a command to try', () => {
    const lines = greeting({
      gatewayUrl,
      needsKey: false,
      mailboxUrl: 'http://127.0.0.1:8025',
      broker: { ...found, consoleUrl: 'http://127.0.0.1:15672' },
    }).split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toContain(gatewayUrl);
    expect(lines[1]).toContain('http://127.0.0.1:8025');
    expect(lines[2]).toContain('http://127.0.0.1:15672');
    expect(lines[3]).toContain(`curl -i ${gatewayUrl}/v1/jobs`);
    expect(lines[3]).not.toContain('authorization');
  });

  it('says how to enable the console where it is off, and what a key goes into', () => {
    const text = greeting({
      gatewayUrl,
      needsKey: true,
      mailboxUrl: undefined,
      broker: { ...found, consoleHint: 'rabbitmq-plugins enable rabbitmq_management' },
    });
    expect(text).toContain('enable it with: rabbitmq-plugins enable rabbitmq_management');
    expect(text).toContain('SMTP_URL');
    expect(text).toContain(`-H "authorization: Bearer $KEY" -d '{`);
  });
});
