import type { Recording } from './recorder.ts';

/** To a service that is profiled. */
export type ToService =
  | { readonly kind: 'record'; readonly recording: Recording }
  | { readonly kind: 'end' };

/** From it: the recording has begun, or is written. */
export type FromService = 'recording' | 'recorded';
