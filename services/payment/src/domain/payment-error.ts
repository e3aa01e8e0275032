/**
 * A charge whose outcome is unknown, or that failed this time: it is asked for again, under the same key. No message of a
 * payment shows what the provider wrote: it may name the customer, and messages end up in headers and logs.
 */
export class PaymentError extends Error {
  constructor(message: string) {
    super(`payment: ${message}`);
    this.name = 'PaymentError';
  }
}
