import { parse } from 'smol-toml';
import { isObject } from './manifest.ts';

/** What a source depends on, by the names that its language knows. */
export interface Named {
  packages: ReadonlySet<string>;
  /** Commands that it has given names to. */
  tasks: Readonly<Record<string, string>>;
}

type Texts = Readonly<Record<string, string>>;

/** Of a file that people write, in UTF-16 units: a longer one says nothing here. */
const LONGEST = 200_000;

/** By language. What can't be read says nothing here: whoever installs it says what is wrong with it. */
const READERS: Readonly<Record<string, (texts: Texts) => readonly string[]>> = {
  Python: (texts) => [
    ...(texts['requirements.txt'] ?? '').split(/\r?\n/).flatMap(requirement),
    ...pyproject(toml(texts['pyproject.toml'])),
    ...keys(toml(texts.Pipfile).packages).flatMap(requirement),
  ],
  PHP: (texts) => keys(json(texts['composer.json']).require),
  Ruby: (texts) => [
    ...matches(/^[ \t]*gem[ \t]*(?:\([ \t]*)?['"]([\w.-]+)['"]/gm, texts.Gemfile),
    ...matches(/^ {4}([\w.-]+) \(/gm, texts['Gemfile.lock']),
  ],
};

export function namedIn(language: string, given: Texts): Named {
  const texts = Object.fromEntries(Object.entries(given).filter(([, text]) => text.length <= LONGEST));
  const tasks = language === 'Deno' ? json(texts['deno.json'] ?? texts['deno.jsonc']).tasks : {};
  return {
    packages: new Set(READERS[language]?.(texts) ?? []),
    tasks: Object.fromEntries(
      Object.entries(isObject(tasks) ? tasks : {}).flatMap(([name, task]) => {
        const command = isObject(task) ? task.command : task;
        return typeof command === 'string' ? [[name, command]] : [];
      }),
    ),
  };
}

/** A name as PyPI has it, and with each of its extras: https://packaging.python.org/en/latest/specifications/name-normalization/ */
function requirement(line: string): string[] {
  const [, given, extras = ''] = /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[([^\]]*)\])?/.exec(line) ?? [];
  if (given === undefined) return [];
  const name = given.toLowerCase().replaceAll(/[-_.]+/g, '-');
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
  return [...listed.map(String), ...keys(poetry)].flatMap(requirement);
}

/** Of a `pyproject.toml` or `Pipfile`; empty where it can't be read. */
export function toml(text: string | undefined): Record<string, unknown> {
  try {
    return parse(text ?? '');
  } catch {
    return {};
  }
}

/** A string, or else a comment; what is not closed goes to the end. */
const TEXT_OR_COMMENT = /("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|\/\/[^\n]*|\/\*(?:(?!\*\/)[\s\S])*(?:\*\/|$)/g;
const TEXT_OR_LAST_COMMA = /("(?:[^"\\]|\\[\s\S])*(?:"|\\?$))|,(?=\s*[}\]])/g;

/** Comments and commas at an end are Deno's. */
function json(text: string | undefined): Record<string, unknown> {
  const textAlone = (_: string, said?: string) => said ?? '';
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
