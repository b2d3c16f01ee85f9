import type { Config } from '../../kernel/config.ts';
import type { Reason } from '../model/reasons/reason.ts';
import type { Variables } from '../model/variables.ts';
import type { Tools } from './tools.ts';

export interface IsolationSettings
  extends Pick<Config, 'appsIsolation' | 'appsAllowNetworks' | 'appsUid' | 'host' | 'dataDir'> {
  /** No stranger's command is run: what is, such as git, works on what is theirs alone. */
  hasNoStrangers?: boolean;
}

/** A command that is a stranger's, or works on what is, and what of this machine it may see. */
export interface Confined {
  /** A site owner's own, which `sh` runs; or a program of ours and its arguments, which no shell reads. */
  command: string | readonly string[];
  /** A folder on this machine, such as a release's, and the folder below it to work in. */
  folder: string;
  below: string;
  writable: boolean;
  /** Where what it writes to the folder goes, which itself stays as it is (layer.ts); of a command with a network of its own. */
  layer?: string | undefined;
  /** A folder of this machine that is the command's home, always writable. */
  home: string;
  /** A folder of this machine for its temporary files, which are in memory where there is none. */
  tmp?: string | undefined;
  variables: Variables;
  /** What it is given as `node` and `npm` in place of ours. */
  tools?: Tools | undefined;
  /** A port of this machine's loopback address that leads to the command, which HOST and PORT tell where to listen. */
  port?: number | undefined;
  /** Where it listens in a network of its own, instead of where everybody else does. */
  innerPort?: number | undefined;
  /** Folders of this machine that it may write to, and at which absolute path it finds each. */
  mounts?: readonly Mount[];
  /** Files and folders of this machine that it may read, where they are. */
  reads?: readonly string[];
  /** Folders of its control groups, and where it finds them, read-only: languages look there for their memory. */
  groups?: readonly Mount[];
  /** A process in the network of its own that it is to have; absent where it is to have none, or has the machine's. */
  joins?: number | undefined;
  /** The largest file it may write. */
  mostFileBytes: number;
  /** How many threads the kernel lets it have where its users are its own; undefined where a control group counts them. */
  mostThreads?: number;
}

/** The server sets these variables of every command itself; an owner's own would change nothing. */
export const OURS: readonly string[] = ['HOME', 'HOST', 'PATH', 'PORT'];

/**
 * A command's variables, with where it listens if it does, as it sees that: by HOST and PORT whatever it is, by HOSTNAME,
 * Next.js' word, unless that is its own.
 */
export function withPlace({ variables, port }: Confined, host: string, seen = port): Variables {
  return port === undefined ? variables : { HOSTNAME: host, ...variables, HOST: host, PORT: String(seen) };
}

export interface Mount {
  folder: string;
  at: string;
}

export interface SandboxPlace {
  /** An IP address. */
  address: string;
  port: number;
}

/** A network of a command's own, to be made before it. */
export interface NetworkOrder {
  /** What alone it leads to; else to the internet. */
  place?: SandboxPlace | undefined;
  /** A port of this machine's loopback address that leads in, and to which one there where that is another than usual. */
  port?: number | undefined;
  innerPort?: number | undefined;
  /** A folder of ours by which those of an earlier life are found. */
  home: string;
}

/** What to spawn for it. */
export interface Invocation {
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** What a shell of ours does before it becomes that, which no stranger has a word in. */
  first?: string;
  /** It waits longer for a processor than a site. */
  isBackground?: boolean | undefined;
  /** A file with the system calls that it may not make, which it finds open. */
  filter?: string | undefined;
  /** What its shell is told once it stands (shell.ts): no list of processes shows it. One without waits until we end. */
  begin?: string;
}

export interface Isolation {
  readonly description: string;
  /** What an operator should know that is weaker here than it could be. */
  readonly warnings: readonly string[];
  /** How far below the spawned process the command's own processes begin. */
  readonly ownDepth: number;
  /** Why nobody's code may run here; undefined where it may. */
  readonly refusal?: Reason;
  /** Whether a folder can be written to in a layer. */
  readonly layers: boolean;
  /** Whether all that a command has started ends with it. */
  readonly encloses: boolean;
  /** Whom the folders of a command must belong to; undefined where that is the server's own user. */
  readonly account: number | undefined;
  /** Where a command finds the files of ours that it sees. */
  readonly inside: string;
  /** What PORT says to a command that a port of this machine leads to. */
  portSeen(port: number, inner?: number): number;
  /** Where a command finds its folders. */
  seen(command: Pick<Confined, 'folder' | 'home'>): Pick<Confined, 'folder' | 'home'>;
  /** The same of one that is mounted: without a sandbox it stays where it is. */
  mountSeen(mount: Mount): string;
  /** What a shell of ours is where a command is to begin, whichever, and what it does first (spawning.ts). */
  readonly threshold: { readonly shell: readonly string[]; readonly first: string };
  confine(command: Confined): Invocation;
  /** Absent where all commands have the machine's network. */
  network?(order: NetworkOrder): Invocation;
}
