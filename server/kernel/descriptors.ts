import { closeSync, readdirSync, readFileSync } from 'node:fs';

/** proc(5): the flags of an open file, in octal, one of which is O_CLOEXEC. */
const CLOSED_ON_EXEC = 0o2000000;

/**
 * Closes what whoever started us left open beside standard input, output and error. Each process that we start would have
 * it, within whatever walls; what we open ourselves none has.
 */
export function closeInherited(): void {
  const ours = Number(process.env.NODE_CHANNEL_FD ?? -1);
  for (const descriptor of openDescriptors()) {
    if (descriptor <= 2 || descriptor === ours || isClosedOnExec(descriptor)) continue;
    try {
      closeSync(descriptor);
    } catch {
      // Such as the one that the list itself was read by.
    }
  }
}

function openDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    return [];
  }
}

function isClosedOnExec(descriptor: number): boolean {
  try {
    const [, flags = ''] =
      /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) !== 0;
  } catch {
    return true;
  }
}
