/** A service cannot start, and a person can do something about it: the message says what, and is shown as it is. */
export class CannotStartError extends Error {}
