import type { Migration } from './migration.ts';

/** Of which queues events were given up before anybody could read them: what is known of their jobs may not be the last word. */
export const drops: Migration = {
  version: 3,
  name: 'drops',
  up: ({ projection }) => `
    CREATE TABLE ${projection}.drops (
      -- Empty for any queue.
      queue text COLLATE "C" PRIMARY KEY,
      from_ms bigint NOT NULL,
      to_ms bigint NOT NULL
    );
  `,
  down: ({ projection }) => `DROP TABLE ${projection}.drops;`,
};
