import { posix } from 'node:path';
import type { Source } from '../model/plan.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import { LANGUAGES } from './languages.ts';

// Files that make an author expect a site, in a source for which no plan was found. The failure names these files and
// says what to do instead.

/** Files that indicate an application in their folder. */
export const APPLICATION_FILES: ReadonlySet<string> = new Set([
  'package.json',
  'index.html',
  ...LANGUAGES.flatMap(({ files }) => files.filter(({ content }) => !content).map(({ file }) => file)),
  'pyproject.toml',
]);

const COMPOSE_FILES = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'];

/** Languages without support, by the files of their build tools. */
const OTHER_LANGUAGES: Readonly<Record<string, string>> = {
  'pom.xml': 'Java',
  'build.gradle': 'Java',
  'build.gradle.kts': 'Kotlin',
  'mix.exs': 'Elixir',
  'build.sbt': 'Scala',
  'deps.edn': 'Clojure',
  'project.clj': 'Clojure',
  'Package.swift': 'Swift',
  'pubspec.yaml': 'Dart',
};
const DOTNET = /\.(?:csproj|fsproj|sln)$/;

/** Settings files of other platforms. */
const OTHER_PLATFORMS = [
  'app.json',
  'app.yaml',
  'fly.toml',
  'render.yaml',
  'railway.json',
  'railway.toml',
  'nixpacks.toml',
  'serverless.yml',
  'wrangler.toml',
  'wrangler.jsonc',
  'firebase.json',
  'netlify.toml',
  'vercel.json',
  'captain-definition',
  'project.toml',
];

const MOST_FOLDERS = 5;

/**
 * Hint for a source without a plan, about the first file found that its author may have relied on; undefined if there
 * is none.
 */
export function findHint({ files }: Pick<Source, 'files'>): Reason | undefined {
  const folders = applicationFolders(files);
  const below = folders.slice(0, MOST_FOLDERS).join(', ');
  const compose = COMPOSE_FILES.find((name) => files.has(name));
  if (compose !== undefined) return reason('compose_beside', { file: compose, folders: below });
  const [first] = folders;
  if (first !== undefined) return reason('applications_below', { folders: below, first });
  const language = [...files].find((name) => Object.hasOwn(OTHER_LANGUAGES, name) || DOTNET.test(name));
  if (language !== undefined) {
    return reason('other_language', { file: language, language: OTHER_LANGUAGES[language] ?? '.NET' });
  }
  const platform = OTHER_PLATFORMS.find((name) => files.has(name));
  return platform === undefined ? undefined : reason('other_platform', { file: platform });
}

/** Folders below the root that contain an application. */
function applicationFolders(files: ReadonlySet<string>): string[] {
  const folders = [...files]
    .filter((path) => APPLICATION_FILES.has(posix.basename(path)))
    .map((path) => posix.dirname(path))
    .filter((folder) => folder !== '.');
  return [...new Set(folders)].sort();
}
