import { expect, test } from 'vitest';
import { configWarnings } from './config-warnings.ts';
import { brokerSettings } from './shared-settings.ts';

test.each([
  [
    { WARREN_NAMESPCE: 'x' },
    ['WARREN_NAMESPCE is not a setting and was ignored; did you mean WARREN_NAMESPACE?'],
  ],
  [
    { WARREN_APIKEYS: 'k' },
    ['WARREN_APIKEYS is not a setting and was ignored; did you mean WARREN_API_KEYS?'],
  ],
  [{ WARREN_SOMETHING_ELSE: '1' }, ['WARREN_SOMETHING_ELSE is not a setting and was ignored']],
  [{ WARREN_NAMESPACE: 'x', WARREN_API_KEYS: 'k', WARREN_DATA_DIR: '.' }, []],
  [{ PATH: '/bin', AMQP_URI: 'x', warren_namespace: 'x' }, []],
])('%j', (env, expected) => {
  expect(configWarnings(brokerSettings, env)).toEqual(expected);
});

test('values are not shown', () => {
  expect(configWarnings({}, { WARREN_API_KEY: 'hunter2' }).join()).not.toContain('hunter2');
});
