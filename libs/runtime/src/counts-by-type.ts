import { z } from 'zod';
import { closestTo } from './closest.ts';

const EXAMPLE = 'a list such as "email.send=5,report.render=1"';

/** Whole numbers by job type, such as `email.send=5,report.render=1`. Bounds are inclusive; job types must be among `known`. */
export function countsByType(
  known: readonly string[],
  { min, max }: { readonly min: number; readonly max: number },
) {
  return z.string(EXAMPLE).transform((text, context): Readonly<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const entry of text.split(',')) {
      const [type = '', digits = '', ...rest] = entry.split('=').map((part) => part.trim());
      const count = /^\d{1,9}$/.test(digits) ? Number(digits) : Number.NaN;
      const problem =
        problemOfType(type, known) ??
        (Object.hasOwn(counts, type) ? `${type} is there twice` : undefined) ??
        (rest.length === 0 && count >= min && count <= max
          ? undefined
          : `${type} needs a whole number from ${min} to ${max}`);
      if (problem !== undefined) {
        context.addIssue({ code: 'custom', message: `${EXAMPLE} (${problem})` });
        return z.NEVER;
      }
      counts[type] = count;
    }
    return counts;
  });
}

function problemOfType(type: string, known: readonly string[]): string | undefined {
  if (known.includes(type)) return undefined;
  const closest = closestTo(type, known, Math.max(2, type.length / 3));
  const hint = closest === undefined ? `known: ${known.join(', ')}` : `did you mean ${closest}?`;
  return `${JSON.stringify(type.slice(0, 100))} is no job type; ${hint}`;
}
