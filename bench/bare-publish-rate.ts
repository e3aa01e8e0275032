import { BareInstallation } from './bare.ts';
import { kitClient } from './kit.ts';

/** Jobs per second of a hand-written windowed loop, on queues that the kit has declared. Leaves nothing behind. */
export async function barePublishRate(
  url: string,
  namespace: string,
  count: number,
): Promise<number> {
  const bare = new BareInstallation(url, namespace);
  await (await kitClient(url, namespace)).close();
  const connection = await bare.connect();
  const startedAt = performance.now();
  await bare.publish(connection, count);
  const seconds = (performance.now() - startedAt) / 1_000;
  await connection.close();
  await bare.dispose();
  return count / seconds;
}
