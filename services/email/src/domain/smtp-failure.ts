import { NonRetryableError } from '@warren/contracts';

/** What a failed SMTP conversation leaves behind, as far as it decides anything. */
interface SmtpReply {
  readonly message: string;
  /** Kind of failure, such as `EENVELOPE` or `ESOCKET`. */
  readonly code: string | undefined;
  /** The server's reply code; absent where it never answered. */
  readonly responseCode: number | undefined;
  /** The command that the server was asked. */
  readonly command: string | undefined;
}

/** A mail could not be sent this time; another attempt may succeed. */
export class SmtpError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'SmtpError';
    this.code = code;
  }
}

/** Commands that speak of the mail itself. Before them, a refusal concerns the whole server or our account. */
const MAIL_COMMANDS = ['MAIL FROM', 'RCPT TO', 'DATA'];

const ACCOUNT_CODES = ['EAUTH', 'ENOAUTH', 'EOAUTH2'];
/** Log in first, or otherwise (RFC 4954). Sent in reply to any command. */
const ACCOUNT_REPLIES = [530, 534, 535, 538];
/** Bad sequence of commands: the session was in a wrong state, not the mail. */
const BAD_SEQUENCE = 503;
/** Kinds of failure that the client finds in the mail before it asks the server. */
const MAIL_CODES = ['EENVELOPE', 'EMESSAGE'];

/**
 * The error to throw for a failed mail: NonRetryableError where the mail itself was refused for good, else SmtpError.
 * Its message does not show the recipient, which servers like to repeat in their replies.
 */
export function smtpFailure(error: unknown, recipient: string): NonRetryableError | SmtpError {
  const reply = replyOf(error);
  const message = `SMTP: ${withoutAddress(reply.message, recipient)}`;
  if (isPermanent(reply)) return new NonRetryableError(message);
  return new SmtpError(reply.code ?? 'EUNKNOWN', message);
}

function isPermanent({ code, responseCode, command }: SmtpReply): boolean {
  if (code !== undefined && ACCOUNT_CODES.includes(code)) return false;
  if (responseCode === undefined) return code !== undefined && MAIL_CODES.includes(code);
  if (responseCode < 500 || responseCode > 599 || responseCode === BAD_SEQUENCE) return false;
  if (ACCOUNT_REPLIES.includes(responseCode)) return false;
  return command !== undefined && MAIL_COMMANDS.includes(command);
}

function replyOf(error: unknown): SmtpReply {
  const { message, code, responseCode, command } = Object(error) as Record<string, unknown>;
  return {
    message: typeof message === 'string' ? message : String(error),
    code: typeof code === 'string' ? code : undefined,
    responseCode: typeof responseCode === 'number' ? responseCode : undefined,
    command: typeof command === 'string' ? command : undefined,
  };
}

function withoutAddress(message: string, recipient: string): string {
  return recipient ? message.replaceAll(recipient, '(recipient)') : message;
}
