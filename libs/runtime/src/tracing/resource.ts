import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';

/** Who sends. */
export interface Sender {
  readonly service: string;
  readonly version: string;
}

/** What spans and metrics say of this process. */
export function resourceOf({ service, version }: Sender): Resource {
  const own = resourceFromAttributes({ 'service.name': service, 'service.version': version });
  // The environment has the last word.
  const told = detectResources({ detectors: [serviceInstanceIdDetector, envDetector] });
  return defaultResource().merge(own).merge(told);
}
