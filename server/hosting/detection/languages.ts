import type { Program } from '../model/plan.ts';
import { DENO } from './languages/deno.ts';
import { GO } from './languages/go.ts';
import { HUGO } from './languages/hugo.ts';
import type { Language } from './languages/language.ts';
import { PHP } from './languages/php.ts';
import { PYTHON } from './languages/python.ts';
import { RUBY } from './languages/ruby.ts';
import { RUST } from './languages/rust.ts';

/** Supported languages besides JavaScript. docs/apps.md has the same tables. */
export const LANGUAGES: readonly Language[] = [PYTHON, PHP, RUBY, GO, RUST, DENO, HUGO];

/** Programs that a start command needs, by its first word; used if the source's language was not recognised. */
const STARTERS: Readonly<Record<string, readonly Program[]>> = {
  python3: [
    {
      name: 'Python',
      check: `python3 -c 'import platform; print(platform.python_version())'`,
      package: 'python3',
    },
  ],
  php: PHP.programs,
  ruby: RUBY.programs.slice(0, 1),
  bundle: RUBY.programs,
  go: GO.programs,
  cargo: RUST.programs,
};

/** Programs that the machine must have for a start command, judging by the command's first word. */
export function programsOf(command: string): readonly Program[] {
  const [word = ''] = command.trim().split(/\s/, 1);
  return Object.hasOwn(STARTERS, word) ? (STARTERS[word] ?? []) : [];
}

/**
 * Further files that are read to detect a language: they request a version of the language, or may be a program's entry
 * file. Files by which a language is recognised are listed elsewhere.
 */
const OTHER_TEXTS = [
  '.python-version',
  'runtime.txt',
  '.ruby-version',
  '.tool-versions',
  'rust-toolchain.toml',
  'rust-toolchain',
  'Gemfile',
  'Pipfile',
  'requirements.txt',
  'pyproject.toml',
  'setup.cfg',
  'setup.py',
];
/** Folders of a source that may contain the entry file of a program. */
export const ENTRY_FOLDERS = ['app', 'src'] as const;
/** Folders that may have many subfolders or settings files, such as `cmd`, with one folder for each program. */
export const CROWDED_FOLDERS = ['cmd', 'src/bin', 'config/_default'] as const;

/** Paths of all files that are read for any of the supported languages. */
export const LANGUAGE_TEXTS: ReadonlySet<string> = new Set([
  ...OTHER_TEXTS,
  ...LANGUAGES.flatMap(({ files, frameworks }) => [
    ...files.map(({ file }) => file),
    ...frameworks.flatMap(({ entry }) => entry?.files ?? []),
  ]),
]);
