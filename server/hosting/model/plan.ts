import type { Finding } from './finding.ts';
/**
 * Deployment plan: how a source becomes a site, as plain data. Commands are shell commands written by the site's
 * developer.
 */
export interface Plan {
  build: BuildPlan;
  run: RunPlan;
  /** Recognised facts, and the origin of each line of the plan. */
  findings: readonly Finding[];
}

/**
 * Build plan: everything needed to build a source. A changed build plan needs a new build, and so does another commit.
 */
export interface BuildPlan {
  kind: 'server' | 'static';
  steps: readonly Step[];
  /**
   * Folders for a static site's files: the first one with an index page is published. `*` stands for any single folder.
   */
  publish: readonly string[];
  /** If present, the source's own Dockerfile makes the image, and the other build settings here are ignored. */
  dockerfile?: DockerfilePlan;
  /** If present, the site runs this image, and the other build settings here are ignored. */
  image?: ImagePlan;
  /** Folders below the root that are kept for the application's next build. */
  caches?: readonly string[];
  /** Accepted versions of Node.js, as an npm range; absent: any version. */
  node?: string;
  /** Programs that the machine must have for the build. */
  programs?: readonly Program[];
  /**
   * Variables set by the language or framework, for builds and sites; the application's own variables override them.
   */
  variables?: Readonly<Record<string, string>>;
}

export interface DockerfilePlan {
  /** Path of the Dockerfile below the root. */
  file: string;
  /** Target stage of the Dockerfile; absent: the last stage. */
  target?: string;
  /** Values of the Dockerfile's ARGs; everyone who has the image can read them in its history. */
  args?: Readonly<Record<string, string>>;
}

/** Container image that a site runs as it is. */
export interface ImagePlan {
  /** Full name of the image, with the registry. */
  name: string;
  /** Digest of the image's manifest: what the name's tag meant when the release was made. */
  digest: string;
}

/** A program that must be installed on the machine. */
export interface Program {
  name: string;
  /** Command for `sh` that prints the program's version; it fails if the program is missing. */
  check: string;
  /** Name of the Debian package that contains the program. */
  package: string;
  /** Versions of the program that the source requests. */
  asked?: readonly VersionRequest[];
}

/**
 * Version of a program or language that a file in the source requests. `isBound`: no other version works; otherwise it
 * is only the version that the developer uses.
 */
export interface VersionRequest {
  version: string;
  /** Name of the file in the source, such as `package.json`, that requests the version. */
  by: string;
  isBound: boolean;
  /** Version from which on the program itself downloads a requested version that it does not have. */
  obtainedSince?: string;
}

/** Run plan: how a build is run. A changed run plan needs no new build. */
export interface RunPlan {
  /** Commands by process name; a static site has none. An empty command means the image's own command. */
  processes: Readonly<Record<string, string>>;
  /** Command that runs once before a release gets the traffic; if it fails, the release does not go live. */
  release?: string;
  /** Commands of the site that run on a schedule. */
  cron?: readonly CronJob[];
  /** Port on which the site listens regardless of the variable PORT. */
  port?: number;
  /** Path of the site's health check, used if the application sets none. */
  health?: string;
  /** Single-page app: paths without a file are answered with the app's page, always or only without a 404.html. */
  spa?: 'always' | 'auto';
  /** Environment variables of the running site that its language or framework needs; its build gets them too. */
  variables?: Readonly<Record<string, string>>;
}

export interface CronJob {
  name: string;
  /** Schedule of the job: five fields, or a name such as `@daily`. */
  schedule: string;
  command: string;
}

export interface Step {
  name: 'install' | 'build';
  command: string;
  /** Repository folder in which the command runs, if it is not the site's own root. */
  at?: string;
}

export const TYPES = ['static', 'server', 'auto'] as const;

/** Lines of the deployment plan that the application's owner has set, instead of detected ones; null: not set. */
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

/** Part of a source that determines the plan. */
export interface Source {
  /**
   * Paths of files below the root, at most two folders deep; in most folders only files that indicate an application.
   */
  files: ReadonlySet<string>;
  /** Folders of the source below its root, at most one folder deep. */
  folders: ReadonlySet<string>;
  /** Contents of the source's files by path: `package.json`, framework settings and the like. */
  texts: Readonly<Record<string, string>>;
  /**
   * Workspace (of npm or the like) that has the source's root folder as one of its packages, and has the lockfile for
   * it.
   */
  workspace?: Workspace;
  /** Lockfiles in a parent folder of the root, by name, of a workspace of another language. */
  inherited?: ReadonlySet<string>;
}

export interface Workspace extends Pick<Source, 'files' | 'texts'> {
  /** Folder of the source in the repository; `''` for the whole repository. */
  at: string;
}

/** Name of the process that takes a site's requests. */
export const WEB = 'web';

/** Name in a Procfile of the command that runs once before a new release gets the traffic. */
export const RELEASE = 'release';

export const LONGEST_COMMAND = 10_000;
