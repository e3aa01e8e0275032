import type { Dashboard } from './dashboard.ts';
import { FAILING } from './failures.ts';
import { OVERVIEW } from './overview.ts';
import { PLATFORM } from './platform.ts';
import { ONE_QUEUE } from './queue.ts';

export const DASHBOARDS: readonly Dashboard[] = [OVERVIEW, ONE_QUEUE, FAILING, PLATFORM];
