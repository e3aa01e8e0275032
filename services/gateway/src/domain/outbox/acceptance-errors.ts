import { WarrenError } from '@warren/contracts';

/** The key came before, with another payload. */
export class IdempotencyConflictError extends WarrenError {
  constructor(id: string) {
    super(
      'IDEMPOTENCY_CONFLICT',
      `this idempotency key was used for another payload, by job ${id}; nothing was published`,
    );
  }
}

/** The outbox holds as much as it may. */
export class OutboxFullError extends WarrenError {
  constructor(pending: number) {
    super('OUTBOX_FULL', `${pending} accepted jobs wait for the broker already; nothing was kept`);
  }
}
