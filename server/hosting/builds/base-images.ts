import semver from 'semver';
import type { Config } from '../../kernel/config.ts';
import { lowestMinor, minorOf, satisfiesVersion } from '../detection/versions.ts';
import type { BuildPlan, VersionRequest } from '../model/plan.ts';

// Base images of builds, one for each language.

export type BaseImages = Config['appsImages'];

export interface BaseImage {
  image: string;
  /** Name of the setting that defines the base image. */
  setting: string;
}

/** Default version of each language, for sources that request no version. */
const VERSIONS: Readonly<Record<keyof BaseImages, string>> = {
  node: String(semver.major(process.versions.node)),
  python: '3.13',
  php: '8.4',
  ruby: '3.4',
  go: '1.26',
  rust: '1',
};
/** Languages of the programs that a build plan can name. */
const LANGUAGES: Readonly<Record<string, keyof BaseImages>> = {
  Python: 'python',
  PHP: 'php',
  Ruby: 'ruby',
  Go: 'go',
  Rust: 'rust',
};

export function baseImageOf(
  { programs = [], node }: Pick<BuildPlan, 'programs' | 'node'>,
  images: BaseImages,
): BaseImage {
  const program = programs.find(({ name }) => LANGUAGES[name] !== undefined);
  const language = LANGUAGES[program?.name ?? ''] ?? 'node';
  const version = language === 'node' ? nodeVersion(node) : requestedVersion(program?.asked ?? []);
  const usual = usualVersion(VERSIONS[language], program?.asked ?? []);
  return {
    image: images[language].replaceAll('{version}', version ?? usual),
    setting: `APPS_IMAGE_${language.toUpperCase()}`,
  };
}

function requestedVersion(requests: readonly VersionRequest[]): string | undefined {
  return minorOf(requests.find(({ isBound }) => !isBound)?.version ?? '');
}

/** Default version, or the lowest one that the source's bound admits if it does not admit the default. */
function usualVersion(version: string, requests: readonly VersionRequest[]): string {
  const unmet = requests.find((one) => one.isBound && !satisfiesVersion(`${version}.999`, one));
  return (unmet && lowestMinor(unmet.version)) ?? version;
}

/**
 * Version of Node.js for a base image's tag: an exact version as requested, otherwise the newest major version within
 * the range. Versions with long-term support are preferred.
 */
function nodeVersion(range: string | undefined): string | undefined {
  if (range === undefined) return undefined;
  const exact = semver.valid(range);
  if (exact !== null) return exact;
  const majors = Array.from({ length: Number(VERSIONS.node) }, (_, index) => Number(VERSIONS.node) - index);
  const matching = majors.filter((major) => semver.intersects(`${major}.x`, range));
  return String(matching.find((major) => major % 2 === 0) ?? matching[0] ?? VERSIONS.node);
}
