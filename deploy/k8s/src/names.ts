import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';

/**
 * The Secret of one service, with its own user of the broker and what else only it may know; it is not in these files. Who reads
 * one does not read those of others.
 */
export const secretOf = (service: string): string => `warren-${service}`;
/** The Secret with the URL by which KEDA looks at queues. */
export const KEDA_SECRET = 'warren-keda';
/** Settings that all services share. */
export const CONFIG = 'warren';
/** The image as it is called here; `kustomization.yaml` says where it is. */
export const IMAGE = 'warren';

const PART_OF = 'app.kubernetes.io/part-of';
const COMPONENT = 'app.kubernetes.io/component';

/** What stands on every pod of Warren. */
export const EVERY_POD = { [PART_OF]: 'warren' } as const;

/** What tells the pods of one service from all others. */
export const podsOf = (service: string): Record<string, string> => ({
  ...EVERY_POD,
  [COMPONENT]: service,
});

/** The label of a pod by which Prometheus learns its service, as Prometheus writes it. */
export const COMPONENT_IN_PROMETHEUS = COMPONENT.replaceAll(/[./-]/g, '_');

export const metadata = (service: string, name = service): ObjectMeta => ({
  name: name === '' ? 'warren' : `warren-${name}`,
  labels: podsOf(service),
});
