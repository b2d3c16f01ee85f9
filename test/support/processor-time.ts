import { readFileSync } from 'node:fs';

/** Processor time in seconds of a process, its children, and those of its children that have ended: proc_pid_stat(5). */
export function processorSecondsOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean);
  return [pid, ...children.map(Number)].reduce((sum, one) => sum + secondsIn(one), 0);
}

function secondsIn(pid: number): number {
  try {
    // utime, stime, cutime and cstime, in ticks of 10 ms.
    return fieldsOf(pid)
      .slice(11, 15)
      .reduce((sum, ticks) => sum + Number(ticks) / 100, 0);
  } catch {
    // The child has ended since; its time is its parent's.
    return 0;
  }
}

/** Fields of /proc/<pid>/stat from the third on, the state. */
function fieldsOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
