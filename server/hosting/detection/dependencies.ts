import { parse } from 'smol-toml';
import { isObject } from './manifest.ts';

/** Names of the dependencies and tasks that a source declares for its programming language. */
export interface Dependencies {
  packages: ReadonlySet<string>;
  /** Commands of the source's tasks, by task name. */
  tasks: Readonly<Record<string, string>>;
  /** Names of settings in the files of the language's framework. */
  settings: ReadonlySet<string>;
}

type Texts = Readonly<Record<string, string>>;

/** Size limit for files that people write, in UTF-16 code units; longer files are ignored. */
const LONGEST = 200_000;

/**
 * Functions that read the dependencies of each language. An unreadable file gives no dependencies; the installer later
 * reports what is wrong with it.
 */
const READERS: Readonly<Record<string, (texts: Texts) => readonly string[]>> = {
  Python: (texts) => [
    ...requirementTexts(texts).join('\n').split(/\r?\n/).flatMap(requirement),
    ...pyproject(parseToml(texts['pyproject.toml'])),
    ...table(parseToml(texts.Pipfile).packages),
    ...(blockOf(/^install_requires[ \t]*=/m, /^\S/m, texts['setup.cfg'])?.split('\n') ?? []).flatMap(
      requirement,
    ),
    ...matches(
      /['"]([^'"\n]*)['"]/g,
      blockOf(/\binstall_requires[ \t]*=[ \t]*\[/, /\][ \t]*[,)]/, texts['setup.py']),
    ).flatMap(requirement),
  ],
  PHP: (texts) => keys(json(texts['composer.json']).require),
  Ruby: (texts) => [
    ...matches(/^[ \t]*gem[ \t]*(?:\([ \t]*)?['"]([\w.-]+)['"]/gm, texts.Gemfile),
    ...matches(/^ {4}([\w.-]+) \(/gm, texts['Gemfile.lock']),
  ],
  Rust: (texts) =>
    Object.entries(texts).flatMap(([file, text]) =>
      /(?:^|\/)Cargo\.toml$/.test(file) ? keys(parseToml(text).dependencies) : [],
    ),
};

export function readDependencies(language: string, files: Texts): Dependencies {
  const texts = Object.fromEntries(Object.entries(files).filter(([, text]) => text.length <= LONGEST));
  const tasks = language === 'Deno' ? json(texts['deno.json'] ?? texts['deno.jsonc']).tasks : {};
  return {
    packages: new Set(READERS[language]?.(texts) ?? []),
    tasks: Object.fromEntries(
      Object.entries(isObject(tasks) ? tasks : {}).flatMap(([name, task]) => {
        const command = isObject(task) ? task.command : task;
        return typeof command === 'string' ? [[name, command]] : [];
      }),
    ),
    settings: new Set(language === 'Python' ? djangoSettings(texts) : []),
  };
}

/** Settings of a Django project, which are variables in upper-case letters. */
function djangoSettings(texts: Texts): string[] {
  return Object.entries(texts).flatMap(([file, text]) =>
    /(?:^|\/)settings(?:\/\w+)?\.py$/.test(file) ? matches(/^[ \t]*([A-Z][A-Z0-9_]+)[ \t]*[:=]/gm, text) : [],
  );
}

/** Contents of requirements.txt and of the files that it includes. */
function requirementTexts(texts: Texts): string[] {
  return Object.entries(texts).flatMap(([file, text]) =>
    file.endsWith('.txt') && file !== 'runtime.txt' ? [text] : [],
  );
}

/** Part of a text between two patterns; undefined if the first does not occur. */
function blockOf(begin: RegExp, end: RegExp, text = ''): string | undefined {
  const found = begin.exec(text);
  if (!found) return undefined;
  const rest = text.slice(found.index + found[0].length);
  return rest.slice(0, end.exec(rest)?.index ?? rest.length);
}

/**
 * Normalised PyPI name, alone and with each of its extras:
 * https://packaging.python.org/en/latest/specifications/name-normalization/
 */
function requirement(line: string): string[] {
  const [, files, extras = ''] = /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[([^\]]*)\])?/.exec(line) ?? [];
  if (files === undefined) return [];
  const name = files.toLowerCase().replaceAll(/[-_.]+/g, '-');
  return [
    name,
    ...extras
      .split(',')
      .filter(Boolean)
      .map((one) => `${name}[${one.trim()}]`),
  ];
}

function pyproject({ project, tool }: Record<string, unknown>): string[] {
  const listed = isObject(project) && Array.isArray(project.dependencies) ? project.dependencies : [];
  const poetry = isObject(tool) && isObject(tool.poetry) ? tool.poetry.dependencies : undefined;
  return [...listed.map(String).flatMap(requirement), ...table(poetry)];
}

/** Dependencies of a table of TOML by name, with their extras. */
function table(dependencies: unknown): string[] {
  return Object.entries(isObject(dependencies) ? dependencies : {}).flatMap(([name, value]) => {
    const extras = isObject(value) && Array.isArray(value.extras) ? value.extras.map(String) : [];
    return requirement(`${name}[${extras.join(',')}]`);
  });
}

/** Parses a TOML file such as `pyproject.toml` or `Pipfile`; empty if it can't be parsed. */
export function parseToml(text: string | undefined): Record<string, unknown> {
  try {
    return parse(text ?? '');
  } catch {
    return {};
  }
}

/** Pattern for a string or else a comment in JSON; unclosed ones extend to the end of the text. */
const TEXT_OR_COMMENT = /("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|\/\/[^\n]*|\/\*(?:(?!\*\/)[\s\S])*(?:\*\/|$)/g;
const TEXT_OR_LAST_COMMA = /("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|,(?=\s*[}\]])/g;

/** Parses JSON with comments and trailing commas, which Deno allows. */
function json(text: string | undefined): Record<string, unknown> {
  const textAlone = (_: string, string?: string) => string ?? '';
  const bare = (text ?? '').replaceAll(TEXT_OR_COMMENT, textAlone).replaceAll(TEXT_OR_LAST_COMMA, textAlone);
  try {
    const parsed: unknown = JSON.parse(bare.replace(/^\uFEFF/, ''));
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function keys(value: unknown): string[] {
  return isObject(value) ? Object.keys(value) : [];
}

function matches(pattern: RegExp, text: string | undefined): string[] {
  return [...(text ?? '').matchAll(pattern)].map(([, name = '']) => name);
}
