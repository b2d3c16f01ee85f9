import type { Engine, ExecOrder } from './engine.ts';

/** Of a container that is there for the commands that are run in it. */
export const WAIT = ['/bin/sh', '-c', 'while true; do sleep 3600; done'];

/** A stranger may have made what writes. */
const MOST_SAID = 2 ** 20;

/** A script and its words, which no shell reads. */
export function scriptOf(script: string, words: readonly string[]): string[] {
  return ['/bin/sh', '-c', script, 'sh', ...words];
}

/** Runs a command in a container to its end, and gives its exit code with the beginning of what it wrote. */
export async function runIn(
  engine: Engine,
  container: string,
  order: ExecOrder,
  signal: AbortSignal,
): Promise<{ code: number; said: string }> {
  let said = '';
  const hear = (bytes: Buffer) => {
    said = (said + bytes).slice(0, MOST_SAID);
  };
  const code = await engine.exec(container, order, hear, signal);
  return { code, said };
}
