import { hostname, userInfo } from 'node:os';

/** Who does it: kept in the audit, and told to the history. */
export function actor(): string {
  return `${userName()}@${hostname()}`;
}

/** Shown to whoever wants to take from the same queue meanwhile. */
export function whoAmI(): string {
  return `${actor()}, process ${process.pid}, since ${new Date().toISOString()}`;
}

/** In containers a user may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
