import { closeSync, readdirSync, readFileSync } from 'node:fs';

/** Flag O_CLOEXEC in the octal flags of an open file; see proc(5). */
const CLOSED_ON_EXEC = 0o2000000;

/**
 * Closes the descriptors that our parent process left open, except standard input, output and error. Otherwise each
 * process that we start would inherit them, even inside a sandbox; descriptors that we open ourselves are not
 * inherited.
 */
export function closeInherited(): void {
  const ours = Number(process.env.NODE_CHANNEL_FD ?? -1);
  for (const descriptor of openDescriptors()) {
    if (descriptor <= 2 || descriptor === ours || isClosedOnExec(descriptor)) continue;
    try {
      closeSync(descriptor);
    } catch {
      // A file descriptor may be closed already, such as the one by which the list of descriptors was read.
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
