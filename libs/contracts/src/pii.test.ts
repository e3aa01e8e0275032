import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pii, piiPathsOf } from './pii.ts';

const mark = () => pii(z.string());

describe('piiPathsOf', () => {
  it.each<[string, z.ZodType, string[]]>([
    ['nothing', z.object({ a: z.string() }), []],
    ['the payload itself', mark(), ['']],
    ['fields and nested fields', z.object({ a: mark(), b: z.object({ c: mark() }) }), ['a', 'b.c']],
    ['a whole object once', z.object({ a: pii(z.object({ b: mark() })) }), ['a']],
    ['array elements', z.object({ a: z.array(z.object({ b: mark() })) }), ['a.*.b']],
    ['tuple items', z.tuple([z.number(), mark()]), ['*']],
    ['the rest of a tuple', z.tuple([z.number()], mark()), ['*']],
    ['record values', z.record(z.string(), mark()), ['*']],
    ['keys that the schema does not name', z.object({}).catchall(mark()), ['*']],
    [
      'optional, nullable and default values',
      z.object({ a: mark().optional().nullable().default('') }),
      ['a'],
    ],
    [
      'every option of a union',
      z.union([z.object({ a: mark() }), z.object({ b: mark() })]),
      ['a', 'b'],
    ],
    [
      'both sides of an intersection',
      z.object({ a: mark() }).and(z.object({ b: mark() })),
      ['a', 'b'],
    ],
    ['what a transform takes', z.object({ a: mark().transform(Number) }), ['a']],
    ['what a pipe gives', z.object({ a: z.string().pipe(mark()) }), ['a']],
    ['what a preprocessor feeds', z.object({ a: z.preprocess(String, mark()) }), ['a']],
    ['lazy schemas', z.object({ a: z.lazy(mark) }), ['a']],
    ['a path once', z.union([z.object({ a: mark() }), z.object({ a: mark() })]), ['a']],
  ])('finds %s', (_, schema, paths) => {
    expect(piiPathsOf(schema)).toEqual(paths);
  });

  it('keeps the mark through checks, descriptions and refinements', () => {
    const shape = {
      a: mark().min(1),
      b: mark().describe('b'),
      c: mark().refine(() => true),
      d: mark().trim().max(5).optional(),
    };
    expect(piiPathsOf(z.object(shape))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('counts a schema with marks as marked where it contains itself', () => {
    const person = z.object({
      name: mark(),
      get friends() {
        return z.array(person);
      },
    });
    expect(piiPathsOf(person)).toEqual(['name', 'friends.*']);
  });

  it('leaves a schema without marks alone where it contains itself', () => {
    const tree = z.object({
      name: z.string(),
      get children() {
        return z.array(tree);
      },
    });
    expect(piiPathsOf(tree)).toEqual([]);
  });

  it('ends for a schema that is made anew on each look', () => {
    const endless = (): z.ZodType => z.object({ name: mark(), next: z.lazy(endless) });
    expect(piiPathsOf(endless())).toContain('next.next.name');
  });

  it('finds nothing in schemas that are not zod’s', () => {
    for (const schema of [undefined, null, 'x', {}, { '~standard': {} }, { _zod: {} }]) {
      expect(piiPathsOf(schema)).toEqual([]);
    }
  });
});
