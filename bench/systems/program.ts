import { runPart } from '../apart/part.ts';
import { makeSystem } from './make-system.ts';

await runPart(makeSystem);
