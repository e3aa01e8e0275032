import type { Attributes } from '@opentelemetry/api';

/**
 * Names of OpenTelemetry's messaging conventions, which are not stable yet: written out, as the conventions ask of libraries,
 * and held against its own package by a test.
 */
export const INSTRUMENTS = {
  sent: {
    name: 'messaging.client.sent.messages',
    unit: '{message}',
    description: 'Messages that were sent to the broker.',
  },
  consumed: {
    name: 'messaging.client.consumed.messages',
    unit: '{message}',
    description: 'Messages that the broker delivered.',
  },
  operationSeconds: {
    name: 'messaging.client.operation.duration',
    unit: 's',
    description: 'Time that sending or moving a message took, until the broker had confirmed it.',
  },
  processSeconds: {
    name: 'messaging.process.duration',
    unit: 's',
    description: 'Time that one run of a handler took.',
  },
} as const;

/** Of both durations, in seconds, as the conventions advise. */
export const DURATION_BUCKETS = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];

/** What the attributes of one series say. */
export interface SeriesFacts {
  /** What was done with messages, by the name that its span has too. */
  readonly operation: string;
  /** The conventions ask for it at the duration of operations alone. */
  readonly type?: 'send' | 'settle';
  readonly destination: string;
  /** One of a closed set; absent where nothing failed. */
  readonly error?: string | undefined;
}

/** The attributes of one series. */
export function seriesAttributes({ operation, type, destination, error }: SeriesFacts): Attributes {
  return {
    'messaging.system': 'rabbitmq',
    'messaging.operation.name': operation,
    'messaging.destination.name': destination,
    ...(type !== undefined && { 'messaging.operation.type': type }),
    ...(error !== undefined && { 'error.type': error }),
  };
}
