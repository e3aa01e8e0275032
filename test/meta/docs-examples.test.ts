import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8');

/** The blocks of TypeScript in a document, without the indentation of a list. */
function examples(document: string): string[] {
  const blocks = [...read(document).matchAll(/^( *)```ts\n(.*?)^ *```$/gms)];
  return blocks.map(([, indent = '', code = '']) =>
    code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

// The files are type-checked with all others; the one of the README is also run, by an end-to-end test.
it.each([
  ['../../README.md', 'fixtures/readme-example.ts', 1],
  ['../../docs/adding-a-job.md', 'fixtures/report-service.ts', 4],
  ['../../docs/events.md', 'fixtures/order-events.ts', 4],
  ['../../docs/outbox.md', 'fixtures/order-outbox.ts', 4],
  ['../../docs/webhooks.md', 'fixtures/webhook-receiver.ts', 1],
  ['../../docs/limits.md', 'fixtures/limited-sync.ts', 1],
  ['../../docs/long-jobs.md', 'fixtures/long-job.ts', 2],
])('the examples in %s are in %s', (document, file, count) => {
  const blocks = examples(document);
  expect(blocks).toHaveLength(count);
  for (const block of blocks) expect(read(file)).toContain(block);
});
