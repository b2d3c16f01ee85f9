import { fileURLToPath } from 'node:url';
import type { Variables } from '../model/variables.ts';
import type { Confined } from './confined.ts';
import { quoteForShell } from './spawning.ts';

/** Folder with files of the platform that commands see, read-only: no build or site may write to it. */
export const INSIDE = fileURLToPath(new URL('inside', import.meta.url));

/** Folder beside a site into which its package manager is installed. */
export const MANAGER_FOLDER = '.package-manager';
/** Folders that contain programs: of the package manager, of node's packages, and of Python's. */
const PACKAGE_PROGRAMS = [`${MANAGER_FOLDER}/node_modules/.bin`, 'node_modules/.bin', '.venv/bin'];
const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';
/** Folders in which the installers and the images of Go and Rust put their programs. */
const TOOLCHAIN_PATH = '/usr/local/go/bin:/usr/local/cargo/bin';

/**
 * PATH of a command: the folders of its packages' programs, the nearest first, up to `folder`. Programs of the platform
 * never come from a folder that untrusted commands can write to.
 */
export function programPath(
  { command, below }: Pick<Confined, 'command' | 'below'>,
  folder: string,
  bin: string,
): string {
  if (typeof command !== 'string') return SYSTEM_PATH;
  const parts = below.split('/').filter((part) => part !== '');
  const folders = [...parts.keys(), parts.length]
    .reverse()
    .map((count) => [folder, ...parts.slice(0, count)].join('/'));
  const packagePaths = folders.flatMap((one) => PACKAGE_PROGRAMS.map((below) => `${one}/${below}`));
  return [...packagePaths, bin, SYSTEM_PATH, TOOLCHAIN_PATH].join(':');
}

/**
 * Handshake between the server and a command's shell, so that the command does not outlive the server: bubblewrap
 * watches its parent only once the sandbox is ready. The shell prints an empty line when it is ready, and then runs the
 * server's answer (`beginning`); a server that was killed meanwhile never answers, or not completely. Both directions
 * use the shell's output, which is a socket.
 */
const HANDSHAKE = 'echo; { eval "$(cat)"; } <&1';

/**
 * Command line that sets the limits of a process and its children, then runs the command. `mostThreads` counts all
 * threads of its user. The command's variables are not set in this shell: one may name a library that would be loaded
 * into every program started here.
 */
export function limitedCommandLine({ command, mostFileBytes }: Confined, mostThreads?: number): string[] {
  const limits = [
    'ulimit -c 0',
    // The option -f of ulimit counts in units of 512 bytes.
    `ulimit -f ${Math.floor(mostFileBytes / 512)}`,
    // The shell dash has the letter -p for the thread limit; other shells have -u.
    ...(mostThreads === undefined
      ? []
      : [`ulimit -u ${mostThreads} 2>/dev/null || ulimit -p ${mostThreads}`]),
    HANDSHAKE,
  ];
  const words = typeof command === 'string' ? ['/bin/sh', '-c', command] : command;
  return ['/bin/sh', '-c', limits.join('; '), 'sh', ...words];
}

/**
 * Input that makes the shell become the command, with these variables. An incomplete copy is a syntax error, so the
 * shell then does nothing.
 */
export function startInstructions(variables: Variables): string {
  return `{\n${Object.entries(variables).map(assignment).join('')}exec "$@" </dev/null\n}\n`;
}

/** Shell line that exports a variable; names that the shell reserves are skipped. */
function assignment([name, value]: [string, string]): string {
  return `command export ${name}=${quoteForShell(value)} || :\n`;
}
