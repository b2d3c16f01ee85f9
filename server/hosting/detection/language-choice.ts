import type { Program, Source } from '../model/plan.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import { type Dependencies, readDependencies } from './dependencies.ts';
import type { CommandVariant, IdentifyingFile, Language, LanguageFramework } from './languages/language.ts';
import { LANGUAGES } from './languages.ts';
import { minorOf, versionRequests } from './versions.ts';

/** Language of a source, and how the source is installed, built and started. */
export interface LanguageChoice {
  language: Language;
  /** File by which the language was recognised. */
  by: string;
  framework?: { row: LanguageFramework; by: string };
  install: readonly string[];
  build?: string;
  start?: string;
  /** Reason to give if the source has no start command. */
  lacks: Reason;
  /** True if the source has no lockfile of its package manager, so that each build may install other versions. */
  isUnlocked: boolean;
  /** Packages of which one must be added for the framework's static files to be served. */
  unserved?: readonly string[];
  programs: readonly Program[];
  variables: Readonly<Record<string, string>>;
}

/** Detects the language of a source. Among several languages, the first with a recognised framework is chosen. */
export function languageOf(source: Source): LanguageChoice | undefined {
  const told = LANGUAGES.flatMap((language) => {
    const by = language.files.find((file) => isThere(file, source));
    return by ? [chooseFor(source, language, by)] : [];
  });
  return told.find(({ framework }) => framework) ?? told[0];
}

function isThere({ file, content, isInherited, manifest = file }: IdentifyingFile, source: Source): boolean {
  const { files, inherited, texts } = source;
  if (!files.has(file)) return isInherited === true && files.has(manifest) && inherited?.has(file) === true;
  return !content || content.says.test(texts[file] ?? '');
}

function chooseFor(source: Source, language: Language, told: IdentifyingFile): LanguageChoice {
  const { name, programs, variables } = language;
  const named = readDependencies(name, source.texts);
  const found = frameworkIn(source, language, named);
  const { row, by = '', fill } = found ?? {};
  const choose = (variants: readonly CommandVariant[] = []) => {
    const variant = variants.find((one) => fits(one, named, source));
    return variant && fill?.(variant.command);
  };
  const start = choose(row?.starts);
  const build = choose(row?.builds);
  const isUnserved = row?.servesFilesBy?.every((one) => !named.packages.has(one));
  const requests = versionRequests(name, source.texts, told.checksVersion === true);
  const withVersion = (program: Program): Program => ({
    ...program,
    check: preferring(program.check, requests),
    ...(program.name === name && requests.length > 0 && { asked: requests }),
  });
  return {
    language,
    by: told.file,
    isUnlocked: told.isUnlocked === true,
    ...(row && { framework: { row, by } }),
    install: told.install === undefined ? [] : [preferring(told.install, requests)],
    ...(build !== undefined && { build }),
    ...(start !== undefined && { start }),
    ...(isUnserved && { unserved: row?.servesFilesBy ?? [] }),
    lacks: lackOf(language, found, told.manifest ?? told.file),
    programs: [...programs, ...(told.programs ?? [])].map(withVersion),
    variables: { ...variables, ...row?.variables },
  };
}

/** Reason to give if a source of this language has no start command; `file`: where its dependencies are listed. */
function lackOf({ name, example }: Language, found: Found | undefined, file: string): Reason {
  const { row, fill, programs } = found ?? {};
  if (programs && programs.length > 1) {
    const start = programs.slice(0, 1).map((one) => example.replace(/[\w-]+$/, one))[0] ?? '';
    return reason('several_programs', {
      language: name,
      programs: programs.slice(0, MOST_NAMED).join(', '),
      start,
    });
  }
  return row?.needs !== undefined && fill
    ? reason('needs_server', { framework: row.name, needs: row.needs, file })
    : reason('no_start_in_language', { language: name, file, example });
}

const MOST_NAMED = 10;

interface Found {
  row: LanguageFramework;
  by: string;
  /**
   * Replaces the placeholders of a command; undefined if the value of one is unknown. Absent if the entry file was not
   * found.
   */
  fill: ((command: string) => string | undefined) | undefined;
  /** Names of the programs that the source is compiled to. */
  programs: readonly string[];
}

function frameworkIn(source: Source, { frameworks }: Language, named: Dependencies): Found | undefined {
  const candidates = frameworks.flatMap((row): Found[] => {
    const by = recognisedBy(row, source, named);
    if (by === undefined) return [];
    const programs = row.program?.find(source);
    const placeholders = row.program ? programs?.placeholders : placeholdersOf(row, source, named);
    // A framework that is not recognised by packages must have its entry file.
    if (!placeholders && !row.packages) return [];
    const fill = placeholders && ((command: string) => filled(command, placeholders));
    return [{ row, by, fill, programs: programs?.names ?? [] }];
  });
  return candidates.find(({ fill }) => fill) ?? candidates[0];
}

function filled(command: string, placeholders: Readonly<Record<string, string>>): string | undefined {
  const text = command.replaceAll(/\{(\w+)\}/g, (whole, name) => placeholders[name] ?? whole);
  return /\{\w+\}/.test(text) ? undefined : text;
}

/** Dependency or file by which the framework was recognised; undefined if it was not. */
function recognisedBy(
  { packages, files: patterns }: LanguageFramework,
  { files }: Source,
  named: Dependencies,
): string | undefined {
  const dependency = packages?.find((name) => named.packages.has(name));
  const there = patterns?.find((name) => files.has(name));
  if ((packages && !dependency) || (patterns && !there)) return undefined;
  return dependency ?? there ?? '';
}

function placeholdersOf(
  { entry, task }: LanguageFramework,
  { files, texts }: Source,
  { tasks }: Dependencies,
): Readonly<Record<string, string>> | undefined {
  if (task) {
    const name = task.find((one) => tasks[one] !== undefined && !/\s--watch\b/.test(tasks[one] ?? ''));
    return name === undefined ? undefined : { name };
  }
  if (!entry) return {};
  for (const file of entry.files) {
    const [, name] = (files.has(file) && entry.says.exec(texts[file] ?? '')) || [];
    if (name !== undefined) return { file, name, module: moduleOf(file) };
  }
  return undefined;
}

/** Module name of a Python file, as for import. */
function moduleOf(file: string): string {
  return file
    .replace(/\.py$/, '')
    .replace(/\/__init__$/, '')
    .replaceAll('/', '.');
}

function fits(
  { packages, task, file, setting }: CommandVariant,
  { packages: there, tasks, settings }: Dependencies,
  { files, inherited }: Source,
): boolean {
  return (
    (!packages || packages.some((name) => there.has(name))) &&
    (task === undefined || tasks[task] !== undefined) &&
    (file === undefined || files.has(file) || inherited?.has(file) === true) &&
    (setting === undefined || settings.has(setting))
  );
}

/**
 * Uses the requested Python version if the machine has it: several versions can be installed as `python3.x` beside the
 * default.
 */
function preferring(command: string, requests: Program['asked'] = []): string {
  const pinned = requests.find(({ isBound }) => !isBound);
  const minor = pinned && minorOf(pinned.version);
  return minor === undefined
    ? command
    : command.replaceAll(/^python3(?= )/g, `$(command -v python${minor} || echo python3)`);
}
