import { z } from 'zod';
import { readApiKeys } from './read-api-keys.ts';

const EXPECTED =
  'entries such as ci:publish+read:<SHA-256 in hex>, separated by commas, as `warren keys new` makes them';

/** Keys of callers, by their hashes. The messages name the entry that is wrong, and show no hash. */
export const apiKeys = () =>
  z.string(EXPECTED).transform((value, context) => {
    try {
      const keys = readApiKeys(value);
      // Whoever sets it means that callers are to be asked for a key.
      if (keys.length > 0) return keys;
      context.addIssue({ code: 'custom', message: EXPECTED });
    } catch (error) {
      const message = `${EXPECTED}: ${Object(error).message}`;
      context.addIssue({ code: 'custom', message });
    }
    return z.NEVER;
  });
