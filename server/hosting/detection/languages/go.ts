import type { Source } from '../../model/plan.ts';
import { type CompiledPrograms, type Language, servingProgram } from './language.ts';

const COMMANDS = 'cmd';
/** Names that need no quotes in a shell. */
const SAFE = /^[A-Za-z0-9][\w.-]*$/;

export const GO: Language = {
  name: 'Go',
  files: [{ file: 'go.mod' }],
  programs: [{ name: 'Go', check: 'go version', package: 'golang-go' }],
  variables: {
    // Without this flag, Go makes the modules that it downloads read-only, and the platform could not delete them with
    // the site.
    GOFLAGS: '-modcacherw',
    // Go downloads the version that go.mod requests if it is newer; Go's own images turn that off.
    GOTOOLCHAIN: 'auto',
  },
  frameworks: [
    {
      name: 'Go',
      program: { find: rootProgram, shown: '`package main` in the root' },
      kind: 'server',
      builds: [{ command: 'go build -o bin/ {packages}' }],
      starts: [{ command: './bin/{name}' }],
      source: 'https://go.dev/doc/modules/layout',
      verified: '1.26.8',
    },
    {
      name: 'Go (cmd)',
      program: { find: commandPrograms, shown: `a program in \`${COMMANDS}\`` },
      kind: 'server',
      builds: [{ command: `go build -o bin/ ./${COMMANDS}/...` }],
      starts: [{ command: './bin/{name}' }],
      source: 'https://go.dev/doc/modules/layout#server-project',
      verified: '1.26.8',
    },
  ],
  example: './bin/server',
  source: 'https://go.dev/doc/tutorial/compile-install',
};

/** Program in the root of a module, with the name that Go gives it; programs in `cmd` are built beside it. */
function rootProgram({ texts, folders }: Source): CompiledPrograms | undefined {
  const isMain = Object.entries(texts).some(
    ([file, text]) => isGoFile(file) && !file.endsWith('_test.go') && /^package main\b/m.test(text),
  );
  const name = programName(texts['go.mod']);
  if (!isMain || name === undefined) return undefined;
  const packages = folders.has(COMMANDS) ? `. ./${COMMANDS}/...` : '.';
  return { placeholders: { packages, name }, names: [name] };
}

function commandPrograms({ folders, texts }: Source): CompiledPrograms | undefined {
  const names = [...folders]
    .filter((folder) => folder.startsWith(`${COMMANDS}/`))
    .map((folder) => folder.slice(COMMANDS.length + 1))
    .filter((name) => SAFE.test(name) && name !== 'internal')
    .sort();
  if (names.length === 0) return undefined;
  const name = servingProgram(names, programName(texts['go.mod']));
  return { placeholders: name === undefined ? {} : { name }, names };
}

/**
 * Name of the program in a module's root: the last part of the module's path that is no version
 * (https://go.dev/ref/mod#major-version-suffixes).
 */
function programName(module: string | undefined): string | undefined {
  const [, path = ''] = /^module[ \t]+"?([^\s"]+)/m.exec(module ?? '') ?? [];
  const parts = path.split('/');
  const name = parts.length > 1 && /^v[0-9]+$/.test(parts.at(-1) ?? '') ? parts.at(-2) : parts.at(-1);
  return name !== undefined && SAFE.test(name) ? name : undefined;
}

/** True for a file with Go code in the root of a source. */
export function isGoFile(file: string): boolean {
  return file.endsWith('.go') && !file.includes('/');
}
