import { isSingleLine } from '../../kernel/one-line.ts';
import { plainText } from '../logs/plain-text.ts';
import { LONGEST_COMMAND } from '../model/plan.ts';
import { parseToml } from './dependencies.ts';
import { folderName } from './folder-name.ts';
import { isObject } from './manifest.ts';

// Settings files of other platforms; their build command and output folder are used here.

export const PLATFORM_FILES = ['netlify.toml', 'vercel.json'] as const;

/** Values from other platforms' settings files, with the files that set them. */
export interface PlatformPlan {
  build?: { value: string; by: string };
  publish?: { value: string; by: string };
  /** Settings for other platforms that have no effect on this platform. */
  passedOver: readonly { value: string; by: string }[];
}

const LONGEST_SHOWN = 200;

/** Pattern for programs and variables that exist only on another platform. */
const PLATFORM_OWN =
  /\b(?:netlify|vercel|now)\b|\$\{?(?:URL|DEPLOY_|NETLIFY|VERCEL|CONTEXT|BRANCH|HEAD|COMMIT_REF)/;

/** Reads the settings of other platforms. Unreadable files are ignored. */
export function platformPlanOf(texts: Readonly<Record<string, string>>): PlatformPlan {
  const settings = PLATFORM_FILES.map((by) => ({ by, ...READERS[by](texts[by] ?? '') }));
  const passedOver = settings.flatMap(({ by, build, publish, base }) =>
    Object.entries({
      base,
      build: isUsable(build) ? undefined : build,
      publish: folderOf(publish) === undefined ? publish : undefined,
    }).flatMap(([line, given]) =>
      typeof given === 'string' && given.trim() !== ''
        ? [{ value: `${line}: ${plainText(given).slice(0, LONGEST_SHOWN)}`, by }]
        : [],
    ),
  );
  const build = settings.find((one) => isUsable(one.build));
  const publish = settings
    .map(({ by, publish: given }) => ({ by, value: folderOf(given) }))
    .find(({ value }) => value !== undefined);
  return {
    passedOver,
    ...(typeof build?.build === 'string' && { build: { value: build.build.trim(), by: build.by } }),
    ...(publish?.value !== undefined && { publish: { value: publish.value, by: publish.by } }),
  };
}

const READERS: Readonly<
  Record<
    (typeof PLATFORM_FILES)[number],
    (text: string) => { build?: unknown; publish?: unknown; base?: unknown }
  >
> = {
  /**
   * Netlify's setting `base` names another folder as the site's root, so a file with it is ignored:
   * https://docs.netlify.com/build/configure-builds/file-based-configuration/
   */
  'netlify.toml': (text) => {
    const { build } = parseToml(text);
    if (!isObject(build) || (typeof build.base === 'string' && folderOf(build.base) !== '')) {
      return isObject(build) ? { base: build.base } : {};
    }
    return { build: build.command, publish: build.publish };
  },
  /** Vercel's settings file: https://vercel.com/docs/project-configuration */
  'vercel.json': (text) => {
    const given = parsed(text);
    return { build: given.buildCommand, publish: given.outputDirectory };
  },
};

function parsed(text: string): Record<string, unknown> {
  try {
    const given: unknown = JSON.parse(text);
    return isObject(given) ? given : {};
  } catch {
    return {};
  }
}

/** Normalises the path of a folder; `/` means the root, and a leading slash is relative to the root. */
function folderOf(given: unknown): string | undefined {
  return typeof given === 'string' && given.trim() !== ''
    ? folderName(given.trim().replace(/^\/+/, '') || '.')
    : undefined;
}

function isUsable(command: unknown): command is string {
  return (
    typeof command === 'string' &&
    command.trim() !== '' &&
    command.length <= LONGEST_COMMAND &&
    isSingleLine(command) &&
    !PLATFORM_OWN.test(command)
  );
}
