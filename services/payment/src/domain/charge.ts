/** What the provider is asked for. */
export interface ChargeRequest {
  readonly orderId: string;
  /** In the currency's smallest unit. */
  readonly amount: number;
  readonly currency: string;
  readonly customer: string;
}

/** A charge that was made: the result of the job. */
export interface Charged {
  /** The provider's name for it. */
  readonly chargeId: string;
  readonly orderId: string;
  readonly amount: number;
  readonly currency: string;
}
