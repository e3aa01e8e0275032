import { describe, expect, it } from 'vitest';
import { greeting } from './greeting.ts';

const gatewayUrl = 'http://127.0.0.1:3000';

describe('greeting', () => {
  it('has four lines: gateway, mailbox, console, a command to try', () => {
    const lines = greeting({
      gatewayUrl,
      needsKey: false,
      mailboxUrl: 'http://127.0.0.1:8025',
      broker: { consoleUrl: 'http://127.0.0.1:15672' },
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
      broker: { consoleHint: 'rabbitmq-plugins enable rabbitmq_management' },
    });
    expect(text).toContain('enable it with: rabbitmq-plugins enable rabbitmq_management');
    expect(text).toContain('SMTP_URL');
    expect(text).toContain(`-H "authorization: Bearer $KEY" -d '{`);
  });
});
