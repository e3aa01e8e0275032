import { stringify } from 'yaml';
import { brokerMonitor, podMonitor, prometheusRule } from './monitoring.ts';
import { IMAGE } from './names.ts';
import { deployment } from './pods.ts';
import { rabbitmqCluster } from './rabbitmq.ts';
import { brokerAccess, scaledObject } from './scaling.ts';
import { disk, disruptionBudget, networkPolicies, service, sharedConfig } from './surroundings.ts';
import { topologyJob } from './topology-job.ts';
import { WORKLOADS, type Workload } from './workloads.ts';

const NOTE = '# Made by `npm run k8s` from deploy/k8s/src; a test fails while it is stale.\n';

const yaml = (objects: readonly object[]): string =>
  NOTE +
  objects
    .map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false }))
    .join('---\n');

/** Objects of the cluster by the file that they are in. */
export const manifests: Readonly<Record<string, readonly object[]>> = {
  'common.yaml': [sharedConfig, ...networkPolicies, brokerAccess],
  'topology.yaml': [topologyJob],
  ...Object.fromEntries(
    WORKLOADS.map((workload) => [`${workload.name}.yaml`, objectsOf(workload)]),
  ),
  'monitoring.yaml': [podMonitor, brokerMonitor, prometheusRule],
};

/** Not for everybody: who has a broker leaves it out. */
const OPTIONAL: Readonly<Record<string, readonly object[]>> = {
  'rabbitmq.yaml': [rabbitmqCluster],
};

const kustomization = {
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
  resources: Object.keys(manifests),
  images: [{ name: IMAGE, newName: 'registry.example.org/warren', newTag: '0.1.0' }],
};

/** Everything that is generated: texts by their path below `deploy/k8s/generated`. */
export const kubernetesFiles: Readonly<Record<string, string>> = {
  'kustomization.yaml': yaml([kustomization]),
  ...Object.fromEntries(
    Object.entries({ ...manifests, ...OPTIONAL }).map(([path, objects]) => [path, yaml(objects)]),
  ),
};

function objectsOf(workload: Workload): object[] {
  const { name, port, diskGi } = workload;
  return [
    deployment(workload),
    ...(port === undefined ? [] : [service(name, port)]),
    ...(diskGi === undefined ? [] : [disk(name, diskGi)]),
    disruptionBudget(workload),
    scaledObject(workload),
  ].filter((object) => object !== undefined);
}
