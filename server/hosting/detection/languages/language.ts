import type { Program, Source } from '../../model/plan.ts';

/**
 * Language other than JavaScript: how it is recognised, what it needs, and how its sites are installed, built and
 * started.
 */
export interface Language {
  name: string;
  /** Files by which the language is recognised; the first existing one also determines the installation. */
  files: readonly IdentifyingFile[];
  /** Programs that the machine must have for the language. */
  programs: readonly Program[];
  /**
   * Command of npm that installs the language's program for one site, so that the machine need not have the program.
   */
  brings?: string;
  variables?: Readonly<Record<string, string>>;
  /** Frameworks of the language, in order of precedence. */
  frameworks: readonly LanguageFramework[];
  /** Example of a start command in the language, for error messages. */
  example: string;
  source: string;
}

export interface IdentifyingFile {
  file: string;
  /**
   * Pattern that the content of the identifying file must match for the language to be recognised. `shown`: what the
   * content must have, in words for the documentation.
   */
  content?: { says: RegExp; shown: string };
  /** True if the file also counts in a parent folder of the site: a workspace has one such file for all its packages. */
  isInherited?: true;
  install?: string;
  /** File in which developers list their dependencies, if the identifying file is written by a program. */
  manifest?: string;
  /** True if the file only bounds versions: without a lockfile, each build installs the newest ones. */
  isUnlocked?: true;
  /** Programs that the machine must have besides those of the language. */
  programs?: readonly Program[];
  /**
   * True if the language's installer checks the requested version of the language itself: it installs that version or
   * fails.
   */
  checksVersion?: true;
  source?: string;
}

/**
 * Framework, or another kind of site, of a programming language. Placeholders in its commands: `{file}`, `{module}` and
 * `{name}` stand for the entry file that `entry` finds; `program` names further ones.
 */
export interface LanguageFramework {
  name: string;
  /** Packages by which the framework is recognised: one of them must be among the dependencies. */
  packages?: readonly string[];
  /** Files by which the framework is recognised: one of them must exist. */
  files?: readonly string[];
  /** Programs that the source is compiled to. `shown`: where they are, in words for the documentation. */
  program?: { find: (source: Source) => CompiledPrograms | undefined; shown: string };
  /** Names of tasks; the first existing task without `--watch` replaces `{name}` in the command. */
  task?: readonly string[];
  /**
   * Entry file: the first of `files` whose content matches the pattern `says`; the pattern's first group gives
   * `{name}`. `shown`: what the content must have, in words for error messages.
   */
  entry?: { files: readonly string[]; says: RegExp; shown: string };
  kind: 'server' | 'static';
  /** Commands that build the site; the first one is used whose conditions the source meets. */
  builds?: readonly CommandVariant[];
  starts?: readonly CommandVariant[];
  publish?: readonly string[];
  /** Package that the source must add if no start command applies. */
  needs?: string;
  /** Packages that serve the framework's static files; the plan says so if the source has none of them. */
  servesFilesBy?: readonly string[];
  variables?: Readonly<Record<string, string>>;
  source: string;
  /** Version of the framework that was tested: installed, built, and, if it is a server, requested over HTTP. */
  verified?: string;
}

/** Programs that a source is compiled to. */
export interface CompiledPrograms {
  /** Values of placeholders in the commands; `{name}` is absent if it is unclear which program serves the site. */
  placeholders: Readonly<Record<string, string>>;
  /** Names of all programs. */
  names: readonly string[];
}

export interface CommandVariant {
  command: string;
  packages?: readonly string[];
  /** Name of a task that the source must have for the command to apply. */
  task?: string;
  /** File that the source, or a workspace around it, must have for the command to apply. */
  file?: string;
  /** Name of a setting that the framework's settings files must contain for the command to apply. */
  setting?: string;
}

/** Names of programs that usually serve a site, in order of precedence. */
const USUAL_SERVERS = ['server', 'web', 'api', 'app', 'site', 'http'];

/**
 * Name of the program that serves the site: the only one, the one named like the project, or one with a usual name;
 * undefined if that is unclear.
 */
export function servingProgram(names: readonly string[], project: string | undefined): string | undefined {
  if (names.length === 1) return names[0];
  return [...(project === undefined ? [] : [project]), ...USUAL_SERVERS].find((name) => names.includes(name));
}
