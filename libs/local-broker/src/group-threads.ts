import { readdirSync, readFileSync } from 'node:fs';

/** States of `/proc/<pid>/stat` in which a thread executes nothing: stopped, traced, zombie, dead. */
const HALTED = new Set(['T', 't', 'Z', 'X']);

/** Whether no thread of a process group executes anything. Linux only. */
export function isGroupHalted(leader: number): boolean {
  return numbersIn('/proc')
    .filter((pid) => statOf(`/proc/${pid}`)?.group === leader)
    .every((pid) => numbersIn(`/proc/${pid}/task`).every((thread) => isHalted(pid, thread)));
}

function isHalted(pid: string, thread: string): boolean {
  const stat = statOf(`/proc/${pid}/task/${thread}`);
  return stat === undefined || HALTED.has(stat.state);
}

/** Undefined for what has ended meanwhile. The name, in parentheses, may hold anything: what counts stands behind it. */
function statOf(folder: string): { state: string; group: number } | undefined {
  try {
    const text = readFileSync(`${folder}/stat`, 'latin1');
    const [state = '', , group] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state, group: Number(group) };
  } catch {
    return undefined;
  }
}

function numbersIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
