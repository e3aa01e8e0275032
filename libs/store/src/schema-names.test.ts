import { ConfigInvalidError } from '@warren/contracts';
import { expect, it } from 'vitest';
import { schemaNames } from './schema-names.ts';

it('names two schemas, quoted', () => {
  expect(schemaNames()).toEqual({
    primary: '"warren"',
    projection: '"warren_projection"',
    plain: 'warren',
  });
  expect(schemaNames('a-b').projection).toBe('"warren_a-b_projection"');
});

it.each(['', 'a"b', 'a b', 'é', 'projection', 'x_projection', 'x'.repeat(46)])(
  'refuses %j, whose schema would be cut, another one, or not a name',
  (namespace) => {
    expect(() => schemaNames(namespace)).toThrow(ConfigInvalidError);
  },
);
