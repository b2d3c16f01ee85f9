import type { Config } from '../../kernel/config.ts';
import type { Reason } from '../model/reasons/reason.ts';
import type { Variables } from '../model/variables.ts';
import type { Tools } from './tools.ts';

export interface IsolationSettings
  extends Pick<Config, 'appsIsolation' | 'appsAllowNetworks' | 'appsUid' | 'host' | 'dataDir'> {
  /**
   * True if neither sites nor builds run in this sandbox, but only programs such as git, each on its owner's data
   * alone.
   */
  runsNothingUntrusted?: boolean;
}

/** Untrusted command, or a command that works on untrusted data, and the parts of this machine that it may see. */
export interface Confined {
  /**
   * Command line: a site owner's command, which `sh` runs, or a program of the platform with its arguments, which no
   * shell reads.
   */
  command: string | readonly string[];
  /** Folder on this machine that the command sees, such as a release's, and the path below it in which it works. */
  folder: string;
  below: string;
  writable: boolean;
  /**
   * Overlay layer that takes all writes to the folder, which itself stays unchanged (overlay.ts). Only for commands
   * with their own network.
   */
  layer?: string | undefined;
  /** Folder of this machine that is the command's home, always writable. */
  home: string;
  /** Folder of this machine for temporary files; undefined: they are in memory. */
  tmp?: string | undefined;
  variables: Variables;
  /** Programs that the command gets as `node` and `npm` instead of the server's own. */
  tools?: Tools | undefined;
  /**
   * Port of this machine's loopback address that leads to the command; HOST and PORT tell the command where to listen.
   */
  port?: number | undefined;
  /** Port on which the command listens inside its own network, if not the usual one. */
  innerPort?: number | undefined;
  /** Writable folders of this machine, and the absolute path of each inside the sandbox. */
  mounts?: readonly SandboxMount[];
  /** Files and folders of this machine that the command may read, at their own paths. */
  reads?: readonly string[];
  /**
   * Folders of the command's control groups, mounted read-only in the sandbox: language runtimes read their memory
   * limit there.
   */
  groups?: readonly SandboxMount[];
  /**
   * Id of a process whose network the command shares; undefined if the command gets no network, or uses the machine's.
   */
  joins?: number | undefined;
  /** Maximum size of a file that the command writes, in bytes. */
  mostFileBytes: number;
  /**
   * Maximum number of threads, for kernels that count them per user namespace; undefined if a control group counts
   * them.
   */
  mostThreads?: number;
}

/** Environment variables that the server sets for every command; a value that the owner sets would have no effect. */
export const RESERVED_VARIABLES: readonly string[] = ['HOME', 'HOST', 'PATH', 'PORT'];

/**
 * Adds the address to listen on to a command's variables, as the command sees it: HOST and PORT always, HOSTNAME (used
 * by Next.js) unless the owner sets it.
 */
export function withListenAddress({ variables, port }: Confined, host: string, portInside = port): Variables {
  return port === undefined
    ? variables
    : { HOSTNAME: host, ...variables, HOST: host, PORT: String(portInside) };
}

export interface SandboxMount {
  folder: string;
  at: string;
}

export interface SandboxTarget {
  /** IP address. */
  address: string;
  port: number;
}

/** Request for a command's own network, which is made before the command starts. */
export interface NetworkOrder {
  /** The only address and port that the network's processes may reach; undefined: the internet. */
  target?: SandboxTarget | undefined;
  /**
   * Port of this machine's loopback address from which connections are forwarded into the network, and the port inside
   * if it is not the usual one.
   */
  port?: number | undefined;
  innerPort?: number | undefined;
  /** Private folder by which a restarted server finds leftover processes. */
  home: string;
}

/** Program to spawn for a command. */
export interface Invocation {
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Shell commands that run before the program, in a shell that the server starts, without any untrusted input. */
  first?: string;
  /** True if the program gets less processor time than a site. */
  isBackground?: boolean | undefined;
  /** File with the filter of system calls, which the command inherits as an open descriptor. */
  filter?: string | undefined;
  /**
   * Shell commands with which the waiting shell becomes the command, once the sandbox is ready (shell.ts). The shell
   * reads them from its input, so that no process list shows them. If they are absent, the shell waits until the server
   * ends.
   */
  begin?: string;
}

export interface Isolation {
  readonly description: string;
  /** Weaknesses of the isolation on this machine that an operator should know. */
  readonly warnings: readonly string[];
  /** Number of levels in the process tree between the spawned process and the command's own processes. */
  readonly ownDepth: number;
  /** Reason why no untrusted code may run here; undefined if it may. */
  readonly refusal?: Reason;
  /** True if an overlay layer can take the writes to a folder. */
  readonly hasOverlays: boolean;
  /** True if all processes of a command end when the command ends. */
  readonly endsDescendants: boolean;
  /** Account that must own the command's folders; undefined: the server's own. */
  readonly account: number | undefined;
  /** Path at which a command sees `inside`, the folder with the platform's own scripts. */
  readonly inside: string;
  /** Value of PORT for a command that a port of this machine leads to. */
  portInside(port: number, inner?: number): number;
  /** Paths of a command's folders as the command sees them. */
  pathsInside(command: Pick<Confined, 'folder' | 'home'>): Pick<Confined, 'folder' | 'home'>;
  /** Path of a mounted folder as the command sees it; without a sandbox it is the folder's own path. */
  mountPathInside(mount: SandboxMount): string;
  /**
   * Shell that is started in advance and waits until it becomes a command; `first`: commands that it runs first
   * (spawning.ts).
   */
  readonly parkingShell: { readonly shell: readonly string[]; readonly first: string };
  confine(command: Confined): Invocation;
  /** Program that makes a network; absent if all commands share the machine's network. */
  network?(order: NetworkOrder): Invocation;
}
