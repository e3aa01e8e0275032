#!/usr/bin/env node
/** `npx warren`: the sources run as they are, so this registers the loader for TypeScript first. */

import { register } from 'tsx/esm/api';

register();
await import('../src/main.ts');
