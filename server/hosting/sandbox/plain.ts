import { readFileSync, realpathSync, statSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Confined, type Isolation, withListenAddress } from './confined.ts';
import { writeIfChanged } from './free-space.ts';
import { messages } from './messages.ts';
import { mergedFolder, overlayBase } from './overlay.ts';
import { INSIDE, limitedCommandLine, programPath, startInstructions } from './shell.ts';
import { linkTools, type Tools } from './tools.ts';

// Commands without a sandbox: each has a clean environment and a folder of its own, but it can read all that its user
// can read. A server that runs as root starts them under an account that is not its own (plain.sh).

const HOST = '127.0.0.1';
const PLAIN = fileURLToPath(new URL('plain.sh', import.meta.url));

/**
 * Isolation by plain processes. `account`: undefined for the server's own user. `folder` is a private folder of the
 * server; `why` says why there is no sandbox, for people.
 */
export async function openPlain(
  tools: Tools,
  { account, folder, why }: { account: number | undefined; folder: string; why: string },
): Promise<Isolation> {
  const own = { ...tools, bin: await linkTools(tools, folder) };
  const passwd = account === undefined ? undefined : await passwdWithAccount(account, folder);
  const enter = (
    { folder, home, tmp, layer, reads = [], mounts = [], tools: ownTools = own }: Confined,
    cwd: string,
  ): string[] => {
    if (account === undefined) return [];
    const mounted = mounts.map((one) => one.folder);
    const needs = [
      ownTools.bin,
      ownTools.node,
      ownTools.npm,
      INSIDE,
      folder,
      home,
      tmp,
      ...reads,
      ...mounted,
    ].filter((one) => one !== undefined);
    const isLayered = (path: string) => layer !== undefined && path === folder;
    const unreachable = needs.filter((path) => isLayered(path) || closedAbove(path) !== undefined);
    const found = (path: string) => (layer && isLayered(path) ? mergedFolder(layer) : realpathSync(path));
    return [
      ...(layer === undefined ? [] : overlayBase(folder, layer)),
      '/bin/sh',
      PLAIN,
      String(account),
      ...[...new Set(unreachable.map(closedAbove))].filter((one) => one !== undefined),
      '--',
      ...[...new Set(unreachable)].flatMap((path) => [found(path), path]),
      ...(passwd === undefined ? [] : [passwd, '/etc/passwd']),
      '--',
      '/bin/sh',
      '-c',
      CHANGE_FOLDER,
      'sh',
      cwd,
    ];
  };
  return {
    description: messages.plain(account, why),
    warnings: [],
    ownDepth: 0,
    hasOverlays: account !== undefined,
    endsDescendants: false,
    account,
    inside: INSIDE,
    parkingShell: {
      shell: [...(account === undefined ? [] : ['/usr/bin/unshare', '--mount']), '/bin/sh'],
      first: '',
    },
    portInside: (port) => port,
    pathsInside: ({ folder, home }) => ({ folder, home }),
    mountPathInside: ({ folder }) => folder,
    confine(command) {
      const cwd = join(command.folder, command.below);
      const ownTools = {
        ...(command.tmp !== undefined && { TMPDIR: command.tmp }),
        ...withListenAddress(command, HOST),
        HOME: command.home,
        PATH: programPath(command, command.folder, (command.tools ?? own).bin ?? own.bin),
      };
      const [file = '', ...args] = [...enter(command, cwd), ...limitedCommandLine(command)];
      // The variable HOME marks the process: a restarted server finds leftover processes by it.
      const env = { HOME: command.home, PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
      return { file, args, cwd: account === undefined ? cwd : '/', env, begin: startInstructions(ownTools) };
    },
  };
}

/**
 * Shell commands that change into the command's folder under the command's account: the server's account may no longer
 * have access to the folder.
 */
const CHANGE_FOLDER = 'cd -- "$1" || exit; shift; exec "$@"';

/** Finds the outermost parent folder that other users can't pass through. */
function closedAbove(path: string): string | undefined {
  const above = dirname(path);
  if (above === path) return undefined;
  return closedAbove(above) ?? ((statSync(above).mode & 0o001) === 0 ? above : undefined);
}

/**
 * Copy of the machine's file of users (/etc/passwd) with the given account added: ssh refuses to work for an account
 * that is not in it. Undefined if the machine's own file has the account.
 */
async function passwdWithAccount(account: number, folder: string): Promise<string | undefined> {
  const users = readFileSync('/etc/passwd', 'utf8').trimEnd();
  if (users.split('\n').some((line) => line.split(':')[2] === String(account))) return undefined;
  const file = join(folder, 'passwd');
  writeIfChanged(file, `${users}\nsite:x:${account}:${account}:site:/nonexistent:/bin/sh\n`);
  await chmod(file, 0o644);
  return file;
}
