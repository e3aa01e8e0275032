import { expect, it } from 'vitest';
import { legendFor } from './legend.ts';

const labels = { __name__: 'up', service: 'email', instance: 'a:1' };

it.each([
  ['{{service}} {{instance}}', 'email a:1'],
  ['down, {{ service }}', 'down, email'],
  ['p99', 'p99'],
  ['{{reason}}', ''],
  ['', 'up{service="email", instance="a:1"}'],
])('makes of %j %j', (template, name) => {
  expect(legendFor(template, labels)).toBe(name);
});
