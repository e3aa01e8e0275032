import { describe, expect, it } from 'vitest';
import { openCircuitsText } from './open-circuits-text.ts';

describe('openCircuitsText', () => {
  it('names what is open, with its key, and nothing else', () => {
    const circuits = [
      { breaker: 'smtp', state: 'open' },
      { breaker: 'crm', state: 'closed' },
      { breaker: 'bank', state: 'half_open' },
      { breaker: 'webhook', key: 'a.example\u001b[2J', state: 'open' },
    ] as const;
    const text = openCircuitsText(circuits);
    expect(text).toContain('open circuits: smtp, webhook (a.example');
    expect(text).not.toMatch(/crm|bank/);
    expect(text).not.toContain('\u001b');
  });

  it('says nothing where none is open', () => {
    expect(openCircuitsText([{ breaker: 'smtp', state: 'closed' }])).toBeUndefined();
  });

  it('counts what would be too many to name', () => {
    const circuits = Array.from({ length: 8 }, (_, n) => ({
      breaker: 'webhook',
      key: `host-${n}`,
      state: 'open' as const,
    }));
    expect(openCircuitsText(circuits)).toContain('webhook (host-4) and 3 more;');
  });
});
