import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Loaded into the process of every test file. At its end it appends the processor time to a file that test/run.ts reads.

/** User and system time, in seconds, of this process and of all that it has waited for: proc_pid_stat(5). */
export function processorSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The name, in parentheses, may hold spaces; the times are the fields 14 to 17, in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

const { SIMCHA_TEST_TIMES, NODE_TEST_CONTEXT } = process.env;
if (isMainThread && SIMCHA_TEST_TIMES && NODE_TEST_CONTEXT)
  process.on('exit', () => appendFileSync(SIMCHA_TEST_TIMES, `${processorSeconds()} ${process.argv[1]}\n`));
