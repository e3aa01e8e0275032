/** What a Kubernetes cluster is given, as data; `npm run k8s` makes the files in deploy/k8s/generated from it. */

export { kubernetesFiles, manifests } from './manifests.ts';
export { OPS_PORT } from './pods.ts';
export { WORKLOADS } from './workloads.ts';
