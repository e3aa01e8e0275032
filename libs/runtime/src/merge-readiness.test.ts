import { expect, it } from 'vitest';
import { mergeReadiness } from './merge-readiness.ts';

it('is ready when all parts are, and tells what each of them says', () => {
  const ok = { ready: true, checks: { broker: 'ok' } };
  const away = { ready: false, checks: { broker: 'gone' } };
  expect(mergeReadiness(ok, { publish: ok })).toEqual({
    ready: true,
    checks: { broker: 'ok', 'publish broker': 'ok' },
  });
  expect(mergeReadiness(ok, { publish: away })).toEqual({
    ready: false,
    checks: { broker: 'ok', 'publish broker': 'gone' },
  });
  expect(mergeReadiness(away, { publish: ok }).ready).toBe(false);
});
