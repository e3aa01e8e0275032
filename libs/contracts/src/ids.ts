import { randomFillSync } from 'node:crypto';
import { v5, v7, validate, version } from 'uuid';

/** Namespace of ids that are derived from a job type and a caller's key. */
const KEY_NAMESPACE = '7d8f7fd2-5cc5-4a0e-9f2c-0d3c1f3a6c11';

const ID_BYTES = 16;

/** Random bytes for many ids: asking the system for each id's own took a tenth of the time of a publish. */
const pool = new Uint8Array(256 * ID_BYTES);
let used = pool.length;

/** A fresh job id: a UUIDv7, so ids sort by time (to the millisecond) and tell when the job was published. */
export function newJobId(): string {
  return v7({ rng: pooledRandom });
}

function pooledRandom(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += ID_BYTES;
  return pool.subarray(used - ID_BYTES, used);
}

/**
 * The id for (job type, key): always the same, so that a repeated publish can be recognised. A UUIDv5 of
 * job type, newline and key.
 */
export function derivedJobId(jobType: string, key: string): string {
  return v5(`${jobType}\n${encodable(key)}`, KEY_NAMESPACE);
}

/** Lone surrogates have no UTF-8 form; spelt out, keys that differ in one still give different ids. */
function encodable(key: string): string {
  return key.replace(/[\ud800-\udfff]/gu, (lone) => `\0${lone.charCodeAt(0).toString(16)}`);
}

/** Milliseconds since 1970 in a UUIDv7; undefined for any other text. */
export function timeOfJobId(id: string): number | undefined {
  if (id.length !== 36 || id[14] !== '7' || !validate(id) || version(id) !== 7) return undefined;
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
