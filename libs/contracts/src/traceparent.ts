/** Of later versions only the beginning is known, and more may follow. */
const TRACEPARENT =
  /^(?:00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}|(?!00|ff)[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]{0,200})?)$/;
const NOBODYS = /^..-(?:0{32}|.{32}-0{16})/;

/** Whether a header's value names a span as W3C's Trace Context has it: `00-<trace id>-<span id>-<flags>`. */
export function isTraceparent(value: unknown): value is string {
  return typeof value === 'string' && TRACEPARENT.test(value) && !NOBODYS.test(value);
}
