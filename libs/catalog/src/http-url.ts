import { z } from 'zod';

const MAX_URL_LENGTH = 2_048;

/** http or https, and no `user:password@`: a URL ends up in places where a password may not. */
function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** A URL that a service asks. Which of them it asks is for the service to say. */
export const httpUrl = () =>
  z.string().max(MAX_URL_LENGTH).refine(isHttpUrl, {
    message: 'expected an http or https URL without user and password',
  });
