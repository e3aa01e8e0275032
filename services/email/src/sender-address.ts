/** One address: no white space, no angle brackets or commas, so that it can only be one. */
const ADDRESS = String.raw`[^\s<>,;"@]+@[A-Za-z0-9.-]+`;
const SENDER = new RegExp(String.raw`^(?:[^<>\p{Cc}]*<${ADDRESS}>|${ADDRESS})$`, 'u');

/** Whether a text can be the sender of mails: `Name <address>` or an address alone, on one line. */
export function isSenderAddress(text: string): boolean {
  return SENDER.test(text);
}
