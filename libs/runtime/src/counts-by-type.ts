import { z } from 'zod';
import { closestTo } from './closest.ts';

/** Such a list, of job types that there are. */
export function exampleOfCounts([first = 'type', second]: readonly string[]): string {
  return second === undefined ? `${first}=5` : `${first}=5,${second}=1`;
}

/** Whole numbers by job type, such as `email.send=5,report.render=1`. Bounds are inclusive; job types must be among `known`. */
export function countsByType(
  known: readonly string[],
  { min, max }: { readonly min: number; readonly max: number },
) {
  const expected = `a list such as "${exampleOfCounts(known)}"`;
  return z.string(expected).transform((text, context): Readonly<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const entry of text.split(',')) {
      const [type = '', digits = '', ...rest] = entry.split('=').map((part) => part.trim());
      const count = /^\d{1,9}$/.test(digits) ? Number(digits) : Number.NaN;
      const problem =
        problemOfForm(entry.trim(), known) ??
        problemOfType(type, known) ??
        (Object.hasOwn(counts, type) ? `${type} is there twice` : undefined) ??
        (rest.length === 0 && count >= min && count <= max
          ? undefined
          : `${type} needs a whole number from ${min} to ${max}`);
      if (problem !== undefined) {
        context.addIssue({ code: 'custom', message: `${expected} (${problem})` });
        return z.NEVER;
      }
      counts[type] = count;
    }
    return counts;
  });
}

/** What an entry lacks to be `type=number`; one with a known type is told which number it needs. */
function problemOfForm(entry: string, known: readonly string[]): string | undefined {
  if (entry === '') return 'there is nothing between or after its commas';
  if (entry.startsWith('=')) return `${quoted(entry)} lacks the job type before "="`;
  if (entry.includes('=') || known.includes(entry)) return undefined;
  if (/^\d+$/.test(entry)) return `${quoted(entry)} lacks the job type and "=" before the number`;
  return `${quoted(entry)} lacks "=" and a number, and is no job type; ${hintFor(entry, known)}`;
}

function problemOfType(type: string, known: readonly string[]): string | undefined {
  if (known.includes(type)) return undefined;
  return `${quoted(type)} is no job type; ${hintFor(type, known)}`;
}

function hintFor(type: string, known: readonly string[]): string {
  const closest = closestTo(type, known, Math.max(2, type.length / 3));
  return closest === undefined ? `known: ${known.join(', ')}` : `did you mean ${closest}?`;
}

const quoted = (text: string) => JSON.stringify(text.slice(0, 100));
