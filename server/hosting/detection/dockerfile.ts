import type { Finding, FindingSource, PlanLine } from '../model/finding.ts';
import type { DockerfilePlan, PlanSettings, Source } from '../model/plan.ts';
import { PLAN_FILE, type PlanFile } from './plan-file.ts';

/** Dockerfile of a source, and the setting or file that names it. */
export interface OwnDockerfile {
  plan: DockerfilePlan;
  by: FindingSource;
}

/** Path of the Dockerfile if simcha.json names none. */
const USUAL = 'Dockerfile';

type BuildSettingNames = Pick<PlanFile, 'type' | 'install' | 'build' | 'publish'>;

/**
 * Finds the Dockerfile that builds the source. Settings of the application take precedence over simcha.json, and
 * simcha.json over a Dockerfile that just exists. If the settings or simcha.json define another way to build the site,
 * the result only says that the Dockerfile is not used.
 */
export function findDockerfile(
  { files }: Source,
  settings: PlanSettings,
  { dockerfile, target, args, ...file }: PlanFile,
): OwnDockerfile | Finding | undefined {
  if (dockerfile === false) return undefined;
  const isNamed = [dockerfile, target, args].some((one) => one !== undefined);
  if (!isNamed && !files.has(USUAL)) return undefined;
  const value = dockerfile ?? USUAL;
  const idle =
    overridingSetting(value, 'settings', settings) ??
    (isNamed ? undefined : overridingSetting(value, PLAN_FILE, file));
  return (
    idle ?? {
      plan: { file: value, ...(target !== undefined && { target }), ...(args && { args }) },
      by: isNamed ? PLAN_FILE : 'files',
    }
  );
}

function overridingSetting(
  value: string,
  by: FindingSource,
  values: { [Name in keyof BuildSettingNames]: BuildSettingNames[Name] | null },
): Finding | undefined {
  const line = (['install', 'build', 'publish'] as const).find((name) => values[name] != null);
  const found: PlanLine | undefined = values.type === 'static' ? 'type' : line;
  return found && { kind: 'dockerfile_idle', value, line: found, by };
}

/** Build settings that a Dockerfile makes ineffective. */
export function ineffectiveSettings(settings: PlanSettings, { type, ...file }: PlanFile): Finding[] {
  const { node = null, spa = null } = settings;
  const given = {
    ...file,
    type: type === 'static' ? type : null,
    node: node ?? file.node,
    spa: spa ?? file.spa,
  };
  return (['type', 'node', 'install', 'build', 'caches', 'publish', 'spa'] as const).flatMap(
    (line): Finding[] => {
      const value = given[line];
      return value == null || value === '' ? [] : [{ kind: 'dockerfile_only', line, value: String(value) }];
    },
  );
}
