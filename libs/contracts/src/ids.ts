import { randomFillSync } from 'node:crypto';
import { v5 } from 'uuid';

/** Namespace of ids that are derived from a job type and a caller's key. */
const KEY_NAMESPACE = '7d8f7fd2-5cc5-4a0e-9f2c-0d3c1f3a6c11';

/** Of which six bits are the kind of UUID. */
const RANDOM_BYTES = 10;

/** Random bytes for many ids: asking the system for each id's own took a tenth of the time of a publish. */
const pool = new Uint8Array(256 * RANDOM_BYTES);
let used = pool.length;

const DIGITS = Buffer.from('0123456789abcdef', 'latin1');
const VERSION = 0x70;
const VARIANT = 0x80;

/**
 * The id under way, as text: its time is written once a millisecond, and no object is made but the text itself. `v7` of uuid
 * takes twice the time and makes a kilobyte of objects for each, of every job that is published or run.
 */
const text = Buffer.from('00000000-0000-0000-0000-000000000000', 'latin1');
let writtenMs = -1;

/** A fresh job id: a UUIDv7, so ids sort by time (to the millisecond) and tell when the job was published. */
export function newJobId(): string {
  const nowMs = Date.now();
  if (nowMs !== writtenMs) writeTime(nowMs);
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  writeByte(14, VERSION | (byteOf(0) & 0x0f));
  writeByte(16, byteOf(1));
  writeByte(19, VARIANT | (byteOf(2) & 0x3f));
  writeByte(21, byteOf(3));
  for (let index = 4; index < RANDOM_BYTES; index += 1) writeByte(16 + 2 * index, byteOf(index));
  used += RANDOM_BYTES;
  return text.toString('latin1');
}

function writeTime(nowMs: number): void {
  const digits = nowMs.toString(16).padStart(12, '0');
  text.write(`${digits.slice(0, 8)}-${digits.slice(8)}`, 'latin1');
  writtenMs = nowMs;
}

function byteOf(index: number): number {
  return pool[used + index] as number;
}

function writeByte(at: number, byte: number): void {
  text[at] = DIGITS[byte >> 4] as number;
  text[at + 1] = DIGITS[byte & 0x0f] as number;
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

/** One look: every job's id is read when it is handled. */
const UUID_V7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/** Milliseconds since 1970 in a UUIDv7; undefined for any other text. */
export function timeOfJobId(id: string): number | undefined {
  if (id.length !== 36 || !UUID_V7.test(id)) return undefined;
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
