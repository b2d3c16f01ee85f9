import { readdirSync, readFileSync } from 'node:fs';

/** Processor time in seconds that a process, its children and their ended children have used. */
export function processorSecondsOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean);
  return [pid, ...children.map(Number)].reduce((sum, one) => sum + secondsIn(one), 0);
}

/** A child process that has ended in the meantime counts 0: its time is then part of its parent's. */
function secondsIn(pid: number): number {
  try {
    // Processor time in ticks of 10 ms, which includes threads that have ended: proc_pid_stat(5).
    const [own = 0, system = 0, children = 0, childrenSystem = 0] = fieldsOf(pid)
      .slice(11, 15)
      .map((ticks) => Number(ticks) / 100);
    return Math.max(own + system, secondsOfThreads(pid)) + children + childrenSystem;
  } catch {
    return 0;
  }
}

/** Processor time of a process's running threads in seconds; the kernel counts it in nanoseconds. */
function secondsOfThreads(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return sum + Number(nanoseconds) / 1e9;
  }, 0);
}

/** Fields of the file /proc/<pid>/stat from the third field on, which is the process's state. */
function fieldsOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
