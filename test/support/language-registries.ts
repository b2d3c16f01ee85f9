import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RUNTIME_SETTINGS } from './campaign.ts';

// Registries of packages in other languages than JavaScript, each asked by the language's own client.

const run = promisify(execFile);
const LONGEST_MS = 120_000;

export type LanguageName = keyof typeof LANGUAGES;

interface TestedLanguage {
  name: string;
  /** Places of the language's program that the sandbox of a site sees. */
  programs: readonly string[];
  registry: string;
  /** Fails if the registry does not answer. */
  ask(program: string, folder: string): Promise<unknown>;
}

const LANGUAGES = {
  python: {
    name: 'Python',
    programs: ['/usr/bin/python3'],
    registry: 'PyPI',
    async ask(python, folder) {
      await run(python, ['-m', 'venv', join(folder, 'own')]);
      const parameters = ['install', '--quiet', '--retries', '0', 'uv'];
      // An installation that is ended leaves files in its temporary folder.
      const env = { ...process.env, TMPDIR: folder };
      await run(join(folder, 'own/bin/pip'), parameters, { env, timeout: LONGEST_MS });
    },
  },
  go: {
    name: 'Go',
    programs: ['/usr/bin/go', '/usr/local/bin/go', '/usr/local/go/bin/go'],
    registry: 'The Go module proxy',
    ask: (go, folder) =>
      run(go, ['list', '-m', '-versions', 'github.com/google/uuid'], { cwd: folder, timeout: LONGEST_MS }),
  },
  rust: {
    name: 'Rust',
    programs: ['/usr/bin/cargo', '/usr/local/bin/cargo', '/usr/local/cargo/bin/cargo'],
    registry: 'crates.io',
    ask: (cargo, folder) => run(cargo, ['info', 'itoa'], { cwd: folder, timeout: LONGEST_MS }),
  },
} as const satisfies Record<string, TestedLanguage>;

const answers = new Map<LanguageName, Promise<string | undefined>>();

/** Reason why sites in a language can't be built in tests on this machine; undefined if they can. */
export function lackOf(language: LanguageName): Promise<string | undefined> {
  const answer = answers.get(language) ?? findLack(language);
  answers.set(language, answer);
  return answer;
}

async function findLack(language: LanguageName): Promise<string | undefined> {
  const { name, programs, registry, ask } = LANGUAGES[language];
  if (RUNTIME_SETTINGS.APPS_RUNTIME) return `There is no image of ${name} here`;
  const program = programs.find(existsSync);
  if (program === undefined) return `${name} is not installed`;
  const folder = await mkdtemp(join(tmpdir(), 'simcha-registry-'));
  try {
    await ask(program, folder);
    return undefined;
  } catch {
    return `${registry} is not reached`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Lockfile of uv for a project. It contains the addresses of the registry, so it is made where it is used. */
export async function uvLock(files: Record<string, string>): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-uv-'));
  try {
    await run('/usr/bin/python3', ['-m', 'venv', join(folder, 'own')]);
    await run(join(folder, 'own/bin/pip'), ['install', '--quiet', 'uv']);
    await writeFile(join(folder, 'pyproject.toml'), files['pyproject.toml'] ?? '');
    await run(join(folder, 'own/bin/uv'), ['lock', '--quiet'], { cwd: folder });
    return { 'uv.lock': await readFile(join(folder, 'uv.lock'), 'utf8') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
