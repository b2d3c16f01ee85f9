import { matchesGlob } from 'node:path';
import type { Program, Source } from '../model/plan.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import { type Dependencies, readDependencies } from './dependencies.ts';
import {
  type CommandVariant,
  type IdentifyingFile,
  LANGUAGES,
  type Language,
  type LanguageFramework,
} from './languages.ts';
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
  programs: readonly Program[];
  variables: Readonly<Record<string, string>>;
}

/** Detects the language of a source. Among several languages, the first with a recognised framework is chosen. */
export function languageOf(source: Source): LanguageChoice | undefined {
  const told = LANGUAGES.flatMap((language) => {
    const by = language.files.find(
      ({ file, content: says }) => source.files.has(file) && (!says || says.test(source.texts[file] ?? '')),
    );
    return by ? [chooseFor(source, language, by)] : [];
  });
  return told.find(({ framework }) => framework) ?? told[0];
}

function chooseFor(source: Source, language: Language, told: IdentifyingFile): LanguageChoice {
  const { name, programs, variables, example } = language;
  const named = readDependencies(name, source.texts);
  const found = frameworkIn(source, language, named);
  const { row, by = '', filled } = found ?? {};
  const fill = (way: CommandVariant | undefined) => way && filled?.(way.command);
  const start = fill(row?.starts?.find((way) => fits(way, named)));
  const build = fill(row?.builds?.find((way) => fits(way, named)));
  const requests = versionRequests(name, source.texts, told.checksVersion === true);
  const withVersion = (program: Program): Program => ({
    ...program,
    check: preferring(program.check, requests),
    ...(program.name === name && requests.length > 0 && { asked: requests }),
  });
  return {
    language,
    by: told.file,
    ...(row && { framework: { row, by } }),
    install: told.install === undefined ? [] : [preferring(told.install, requests)],
    ...(build !== undefined && { build }),
    ...(start !== undefined && { start }),
    lacks:
      row?.needs !== undefined && filled
        ? reason('needs_server', { framework: row.name, needs: row.needs, file: told.file })
        : reason('no_start_in_language', { language: name, file: told.file, example }),
    programs: [...programs, ...(told.programs ?? [])].map(withVersion),
    variables: { ...variables, ...row?.variables },
  };
}

interface Found {
  row: LanguageFramework;
  by: string;
  /** Replaces the placeholders of a command; undefined if the entry file was not found. */
  filled: ((command: string) => string) | undefined;
}

function frameworkIn(source: Source, { frameworks }: Language, named: Dependencies): Found | undefined {
  for (const row of frameworks) {
    const by = recognisedBy(row, source, named);
    if (by === undefined) continue;
    const placeholders = placeholdersOf(row, source, named);
    // A framework that is not recognised by packages must have its entry file.
    if (!placeholders && !row.packages) continue;
    return {
      row,
      by,
      filled:
        placeholders &&
        ((command) => command.replaceAll(/\{(\w+)\}/g, (whole, name) => placeholders[name] ?? whole)),
    };
  }
  return undefined;
}

/** Dependency or file by which the framework was recognised; undefined if it was not. */
function recognisedBy(
  { packages, files: patterns }: LanguageFramework,
  { files }: Source,
  named: Dependencies,
): string | undefined {
  const dependency = packages?.find((name) => named.packages.has(name));
  const there = patterns && [...files].find((name) => patterns.some((one) => matchesGlob(name, one)));
  if ((packages && !dependency) || (patterns && !there)) return undefined;
  return dependency ?? there ?? '';
}

function placeholdersOf(
  { entry, below, task }: LanguageFramework,
  { files, folders, texts }: Source,
  { tasks }: Dependencies,
): Readonly<Record<string, string>> | undefined {
  if (task) {
    const name = task.find((one) => tasks[one] !== undefined && !/\s--watch\b/.test(tasks[one] ?? ''));
    return name === undefined ? undefined : { name };
  }
  if (below !== undefined) {
    const inside = [...folders].filter((name) => name.startsWith(`${below}/`));
    return inside.length === 1 && inside[0] !== undefined ? { folder: inside[0] } : undefined;
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

function fits({ packages, task }: CommandVariant, { packages: there, tasks }: Dependencies): boolean {
  return (
    (!packages || packages.some((name) => there.has(name))) &&
    (task === undefined || tasks[task] !== undefined)
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
