import type { ExecOrder } from './container-output.ts';
import type { Engine } from './engine.ts';

/** Command of a container that only waits, for other commands to be run in it. */
export const WAIT_COMMAND = ['/bin/sh', '-c', 'while true; do sleep 3600; done'];

/** Maximum length of a command's output, in UTF-16 code units: untrusted programs may write without end. */
const MOST_OUTPUT = 2 ** 20;

/** Command line of a script and its arguments, which no shell interprets. */
export function scriptCommand(script: string, args: readonly string[]): string[] {
  return ['/bin/sh', '-c', script, 'sh', ...args];
}

/** Runs a command in a container until the command ends. Returns its exit code and the beginning of its output. */
export async function runInContainer(
  engine: Engine,
  container: string,
  order: ExecOrder,
  signal: AbortSignal,
): Promise<{ code: number; output: string }> {
  let output = '';
  const collect = (bytes: Buffer) => {
    output = (output + bytes).slice(0, MOST_OUTPUT);
  };
  const code = await engine.exec(container, order, collect, signal);
  return { code, output };
}
