import { deleteNamespace, newNamespace, sharedBrokerUrl } from '@warren/testing';
import { expect, it, onTestFinished } from 'vitest';
import { Program } from './support/program.ts';

it('the example in README.md publishes, handles and stops', async () => {
  const [url, namespace] = [sharedBrokerUrl(), newNamespace()];
  const args = ['--import', 'tsx', 'test/meta/fixtures/readme-example.ts'];
  const program = new Program(args, { AMQP_URL: url, WARREN_NAMESPACE: namespace });
  onTestFinished(() => deleteNamespace(url, namespace, ['image.resize']));
  const published = await program.line(/^published /);
  const handled = JSON.parse(await program.line(/resizing/)) as { job_id: string; width: number };
  expect(`published ${handled.job_id}`).toBe(published);
  expect(handled.width).toBe(320);
  expect(await program.stop('SIGINT')).toEqual({ code: 0, signal: null });
  expect(program.stderr).toBe('');
});
