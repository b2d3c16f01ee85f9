import type { Finding } from './finding.ts';
/** How a source becomes a site, as plain data. Commands are the site's own, for a shell of its own. */
export interface Plan {
  build: BuildPlan;
  run: RunPlan;
  /** What was recognised, and by what each line of the plan was decided. */
  findings: readonly Finding[];
}

/** What has to be run to make a build of a source. A source of another commit, or another one of these, is another build. */
export interface BuildPlan {
  kind: 'server' | 'static';
  steps: readonly Step[];
  /** Where the files of a static site are: the first of these folders that has an index page; `*` stands for any one folder. */
  publish: readonly string[];
  /** It becomes an image by this Dockerfile of its own, and by nothing else that is said here. */
  dockerfile?: DockerfilePlan;
  /** Folders of the root that the next build of the application begins with, as this one leaves them. */
  caches?: readonly string[];
  /** The versions of Node.js that will do, as a range of npm's; absent: whichever there is. */
  node?: string;
  /** What the machine has to have for it. */
  programs?: readonly Program[];
  /** Of its language and framework: what builds and sites see besides, unless the application says otherwise. */
  variables?: Readonly<Record<string, string>>;
}

export interface DockerfilePlan {
  /** Below the root. */
  file: string;
  /** The stage that the image is of; absent: the last one. */
  target?: string;
  /** What its ARGs are told, for everyone to read in the image's history. */
  args?: Readonly<Record<string, string>>;
}

/** A program that is the machine's own. */
export interface Program {
  name: string;
  /** Run by `sh`: prints its version, and fails where it is not there. */
  check: string;
  /** What brings it on Debian. */
  package: string;
  /** Versions that the source asks for. */
  asked?: readonly VersionRequest[];
}

/** `isBound`: it won't do without; else it is the one that its developer has. */
export interface VersionRequest {
  version: string;
  /** The file that says so. */
  by: string;
  isBound: boolean;
}

/** How a build is run. Another one needs no other build. */
export interface RunPlan {
  /** Commands by the names of processes; a static site has none. An empty one is the image's own. */
  processes: Readonly<Record<string, string>>;
  /** Run once before a release takes the traffic, which it gets only where this succeeds. */
  release?: string;
  /** What is run at its times. */
  cron?: readonly CronJob[];
  /** Where it listens whatever the variable PORT says. */
  port?: number;
  /** Asked before it takes traffic, where the application names no path of its own. */
  health?: string;
  /** A path without a file is answered by the site's one page: always, or unless it has a 404.html. */
  spa?: 'always' | 'auto';
  /** As builds see them. */
  variables?: Readonly<Record<string, string>>;
}

export interface CronJob {
  name: string;
  /** Five fields, or a name such as `@daily`. */
  schedule: string;
  command: string;
}

export interface Step {
  name: 'install' | 'build';
  command: string;
  /** The folder of the repository in which it is run, where that is not the site's own root. */
  at?: string;
}

export const TYPES = ['static', 'server', 'auto'] as const;

/** What the owner set for the application in place of what we would find; null: nothing. */
export interface PlanSettings {
  node?: string | null;
  type?: (typeof TYPES)[number] | null;
  install?: string | null;
  build?: string | null;
  start?: string | null;
  publish?: string | null;
  spa?: boolean | 'auto' | null;
  port?: number | null;
}

/** The part of a source that decides. */
export interface Source {
  /** Paths of files below the root, at most two folders deep; of most folders only files that tell an application. */
  files: ReadonlySet<string>;
  /** Folders below the root, at most one folder deep. */
  folders: ReadonlySet<string>;
  /** What files say, by their paths: `package.json`, settings of frameworks and the like. */
  texts: Readonly<Record<string, string>>;
  /** The workspace that the root is a package of, and that has the lockfile for it. */
  workspace?: Workspace;
}

export interface Workspace extends Pick<Source, 'files' | 'texts'> {
  /** A folder of the repository, `''` for all of it. */
  at: string;
}

/** The process that takes a site's requests. */
export const WEB = 'web';

/** What a Procfile calls the command that is run once before the switch. */
export const RELEASE = 'release';

export const LONGEST_COMMAND = 10_000;
