import type { Job } from 'kubernetes-types/batch/v1.js';
import { CONFIG, IMAGE, metadata, podsOf } from './names.ts';
import {
  BROKER,
  CONTAINER_SECURITY,
  fromSecretOf,
  POD_SECURITY,
  TMP_MOUNT,
  TMP_VOLUME,
} from './pods.ts';

const NAME = 'topology';
/** Whose Secret it is: the one user that may declare. */
export const OPERATOR = 'operator';

/** Declares exchanges, queues and bindings, which no service may do; services are ready once it has. */
export const topologyJob: Job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: metadata(NAME),
  spec: {
    // A broker that has just been made takes minutes to answer.
    backoffLimit: 10,
    // A Job cannot be changed, only made anew: by the next version it is gone.
    ttlSecondsAfterFinished: 60,
    template: {
      metadata: { labels: podsOf(NAME) },
      spec: {
        ...POD_SECURITY,
        restartPolicy: 'OnFailure',
        containers: [
          {
            name: NAME,
            image: IMAGE,
            command: ['node', 'services/admin/bin/warren.mjs', 'topology', 'apply'],
            // WARREN_NAMESPACE, where it is set, is among them.
            envFrom: [{ configMapRef: { name: CONFIG } }],
            env: fromSecretOf(OPERATOR, BROKER),
            resources: {
              requests: { cpu: '100m', memory: '384Mi' },
              limits: { memory: '384Mi' },
            },
            securityContext: CONTAINER_SECURITY,
            volumeMounts: [TMP_MOUNT],
          },
        ],
        volumes: [TMP_VOLUME],
      },
    },
  },
};
