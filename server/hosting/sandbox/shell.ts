import { fileURLToPath } from 'node:url';
import type { Variables } from '../model/variables.ts';
import type { Confined } from './confined.ts';
import { quoted } from './spawning.ts';

/** Files of ours that commands see, read only: they stand in no folder that a build or a site may write to. */
export const INSIDE = fileURLToPath(new URL('inside', import.meta.url));

/** The folder beside a site that its package manager is installed in. */
export const MANAGER_FOLDER = '.package-manager';
/** Programs of the package manager, of node's packages, and of Python's. */
const PACKAGE_PROGRAMS = [`${MANAGER_FOLDER}/node_modules/.bin`, 'node_modules/.bin', '.venv/bin'];
const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

/**
 * Where a command's programs are: those of its packages, the nearest first, as far up as `folder` goes. A program of ours is
 * never taken from a folder that strangers write to.
 */
export function pathOf(
  { command, below }: Pick<Confined, 'command' | 'below'>,
  folder: string,
  bin: string,
): string {
  if (typeof command !== 'string') return SYSTEM_PATH;
  const parts = below.split('/').filter((part) => part !== '');
  const folders = [...parts.keys(), parts.length]
    .reverse()
    .map((count) => [folder, ...parts.slice(0, count)].join('/'));
  const own = folders.flatMap((one) => PACKAGE_PROGRAMS.map((below) => `${one}/${below}`));
  return [...own, bin, SYSTEM_PATH].join(':');
}

/**
 * A command ends with us once its sandbox stands, and not before: its walls tie themselves to whoever started them only then.
 * So its shell says that it stands, by an empty line, and does what it hears back (`beginning`); a server that was killed
 * meanwhile never answers, or not to the end. Both go by its output, which is a socket.
 */
const HANDSHAKE = 'echo; { eval "$(cat)"; } <&1';

/**
 * The limits a process sets for itself and its children, then the command. `mostThreads`: of all that its user has.
 * Its variables are no business of this shell's: one may name a library that acts in whatever is started with it.
 */
export function shell({ command, mostFileBytes }: Confined, mostThreads?: number): string[] {
  const limits = [
    'ulimit -c 0',
    // In units of 512 bytes.
    `ulimit -f ${Math.floor(mostFileBytes / 512)}`,
    // dash has another letter for it.
    ...(mostThreads === undefined
      ? []
      : [`ulimit -u ${mostThreads} 2>/dev/null || ulimit -p ${mostThreads}`]),
    HANDSHAKE,
  ];
  const its = typeof command === 'string' ? ['/bin/sh', '-c', command] : command;
  return ['/bin/sh', '-c', limits.join('; '), 'sh', ...its];
}

/** What that shell is told: to become the command, with these variables. Half of it is nothing that a shell would do. */
export function beginning(variables: Variables): string {
  return `{\n${Object.entries(variables).map(assignment).join('')}exec "$@" </dev/null\n}\n`;
}

/** A name that the shell keeps for itself is passed over. */
function assignment([name, value]: [string, string]): string {
  return `command export ${name}=${quoted(value)} || :\n`;
}
