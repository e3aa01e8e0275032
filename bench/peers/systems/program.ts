import { runPart } from '../../apart/part.ts';
import { makePeer } from './make-peer.ts';

await runPart(makePeer);
