import { quoteForShell } from './spawning.ts';

/** Files and folders of this machine that a sandbox's set-up needs, each by a short name. */
export type Needs = Readonly<Record<string, string>>;
export type PathLookup = (name: string) => string;

export interface Entrance {
  /** Looks up the path at which the sandbox's set-up finds a needed file or folder. */
  at: PathLookup;
  /** Shell commands that run before the sandbox's set-up, in a shell that the server starts. */
  first: string;
  /** Beginning of the command line that enters the sandbox. */
  enter: string[];
}

const ENDING_WITH_US = ['/usr/bin/setpriv', '--pdeathsig', 'SIGKILL'];

/**
 * First commands of a sandbox's set-up. If an account is given, the rest of the set-up runs under that account, and
 * finds the files that it needs below /dev/net.
 */
export function entranceTo(account: number | undefined, needs: Needs): Entrance {
  if (account !== undefined) return enteringAsAccount(account, needs);
  return { at: (name) => needs[name] ?? '', first: '', enter: ENDING_WITH_US };
}

function enteringAsAccount(account: number, needs: Needs): Entrance {
  const things = Object.entries(needs).flatMap(([name, path]) => [path, escapeForFstab(path), name]);
  const users = ['--reuid', String(account), '--regid', String(account), '--clear-groups'];
  return {
    at: (name) => `/dev/net/${name}`,
    first: ['bring', ...things].map(quoteForShell).join(' '),
    enter: [...ENDING_WITH_US, ...users, '--inh-caps=-all'],
  };
}

/** Writes a path as a field of fstab(5): characters that would end a field are written as octal numbers. */
function escapeForFstab(path: string): string {
  return path.replaceAll(/[ \t\n\\#]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
