import { describe, expect, it } from 'vitest';
import { explainConnectionLoss } from './connection-loss.ts';

describe('explainConnectionLoss', () => {
  it.each(['Unexpected close', 'Heartbeat timeout', 'read ECONNRESET', 'write EPIPE'])(
    'names the causes of %j, which says none',
    (message) => {
      const text = explainConnectionLoss(new Error(message));
      expect(text).toContain(message);
      expect(text).toMatch(/heartbeats in time/);
    },
  );

  it("leaves the broker's own reason as it is", () => {
    const reason = 'Connection closed: 320 (CONNECTION-FORCED) with message "maintenance"';
    expect(explainConnectionLoss(new Error(reason))).toBe(reason);
  });

  it.each([undefined, new Error('')])('says something where there is no reason: %s', (error) => {
    expect(explainConnectionLoss(error)).toBe('the connection was closed');
  });
});
