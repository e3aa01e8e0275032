import { sendEmail } from '@warren/catalog';

/** What is posted to the gateway: about 1 kB. */
export const mail = {
  to: 'someone@example.org',
  subject: 'Your order',
  text: 'x'.repeat(900),
};

/** The same as the body of a request, or a line of NDJSON. */
export const mailRequest = JSON.stringify({ type: sendEmail.type, payload: mail });
