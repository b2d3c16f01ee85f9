import { usageError } from './errors.ts';
import { canAsk } from './output/terminal.ts';

// Questions are asked on a terminal only, on stderr. Elsewhere the error names the option that answers the question.

const CONTEXT = { output: process.stderr };

export async function askText(message: string, option: string, preset?: string): Promise<string> {
  assertCanAsk(message, option);
  const { default: input } = await import('@inquirer/input');
  return (
    await input({ message, required: true, ...(preset !== undefined && { default: preset }) }, CONTEXT)
  ).trim();
}

/** Asks for a text that does not appear on the screen. */
export async function askSecret(message: string, option: string): Promise<string> {
  assertCanAsk(message, option);
  const { default: password } = await import('@inquirer/password');
  return password({ message, mask: '•' }, CONTEXT);
}

/** Asks before something that can't be undone. Throws if the answer is no. */
export async function confirm(message: string, option = '--yes'): Promise<void> {
  assertCanAsk(message, option);
  const { default: ask } = await import('@inquirer/confirm');
  if (!(await ask({ message, default: false }, CONTEXT))) throw usageError('Nothing was done.');
}

function assertCanAsk(message: string, option: string): void {
  if (!canAsk()) throw usageError(`This needs an answer: ${message}`, `Without a terminal, pass ${option}.`);
}

/** Reads all of stdin, without the line break at its end that `echo` adds. */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
