import { catalog } from '@warren/catalog';
import { BareInstallation } from '../bare.ts';
import { postStream } from '../bulk-http.ts';
import { mailRequest } from '../mail.ts';
import { StoreTables } from '../postgres.ts';
import { startGateway } from '../programs.ts';
import { postMany } from '../raw-http.ts';
import { flagsToRecord, recordService } from './record-service.ts';
import { type Profiling, warmUpOf } from './subject.ts';

const NAMESPACE = 'benchprofilehttp';
const CONNECTIONS = 50;

/** The gateway while it answers `POST /v1/jobs`, one job a request. */
export function profileGateway(profiling: Profiling): Promise<number> {
  const options = { connections: CONNECTIONS, status: 202 };
  return profilePosts(profiling, (url, count) =>
    postMany(url, '/v1/jobs', mailRequest, { count, ...options }),
  );
}

/** The gateway while it answers `POST /v1/jobs/bulk`, all jobs in one stream. */
export function profileBulk(profiling: Profiling): Promise<number> {
  return profilePosts(profiling, (url, count) => postStream(url, mailRequest, count));
}

async function profilePosts(
  { options, recording }: Profiling,
  post: (url: string, count: number) => Promise<void>,
): Promise<number> {
  const { url: brokerUrl, count, store } = options;
  const types = catalog.map(({ type }) => type);
  const bare = new BareInstallation(brokerUrl, NAMESPACE, types);
  const databaseUrl = store ? options.databaseUrl : undefined;
  const tables = databaseUrl && (await StoreTables.openFresh(databaseUrl, NAMESPACE));
  try {
    const place = { brokerUrl, namespace: NAMESPACE, databaseUrl };
    const gateway = await startGateway({ ...place, flags: flagsToRecord(recording) });
    try {
      await post(gateway.url, warmUpOf(options));
      const end = await recordService(gateway.child, recording);
      await post(gateway.url, count);
      await end();
      return count;
    } finally {
      await gateway.stop();
    }
  } finally {
    await bare.dispose();
    if (tables) await tables.dispose();
  }
}
