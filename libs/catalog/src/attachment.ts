import { pii } from '@warren/contracts';
import { z } from 'zod';

const MIB = 1024 * 1024;
const MAX_ATTACHMENTS = 10;
/** Of all attachments of one mail, decoded. */
const MAX_ATTACHMENT_BYTES = 5 * MIB;
const MAX_BASE64_LENGTH = 4 * Math.ceil(MAX_ATTACHMENT_BYTES / 3);

/** A path, a control character, or one that turns the direction of text, so that `exe.pdf` could be read for `fdp.exe`. */
const UNSAFE_IN_NAME = /[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const TOKEN = "[A-Za-z0-9!#$&'*+.^_`|~-]{1,127}";
const CONTENT_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:; ?${TOKEN}=${TOKEN}){0,5}$`);

const attachmentSchema = z.strictObject({
  filename: pii(
    z
      .string()
      .min(1)
      .max(255)
      .refine((name) => !UNSAFE_IN_NAME.test(name) && name !== '.' && name !== '..', {
        message: 'may not hold a path or control characters',
      }),
  ),
  contentType: z.string().regex(CONTENT_TYPE, 'expected a media type such as application/pdf'),
  content: pii(
    z.string().max(MAX_BASE64_LENGTH).refine(isBase64, {
      message: 'is not base64 (RFC 4648: padded, without line breaks)',
    }),
  ),
});

/** Files of one mail: at most 10, 5 MiB in all once decoded; `content` is base64. */
export const attachmentsSchema = z
  .array(attachmentSchema)
  .max(MAX_ATTACHMENTS)
  .refine((files) => files.reduce(addBytes, 0) <= MAX_ATTACHMENT_BYTES, {
    message: `are larger than ${MAX_ATTACHMENT_BYTES} bytes in all`,
  });

/** Node's own decoder skips what it does not know: only what comes back the same was all base64. */
function isBase64(text: string): boolean {
  return Buffer.from(text, 'base64').toString('base64') === text;
}

function addBytes(sum: number, { content }: { readonly content: string }): number {
  const padding = content.endsWith('==') ? 2 : content.endsWith('=') ? 1 : 0;
  return sum + (content.length / 4) * 3 - padding;
}
