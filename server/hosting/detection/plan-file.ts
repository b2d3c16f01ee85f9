import { Cron } from 'croner';
import { isSingleLine } from '../../kernel/one-line.ts';
import { type CronJob, LONGEST_COMMAND, type PlanSettings, TYPES, WEB } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import { folderName } from './folder-name.ts';
import { isObject } from './manifest.ts';
import { nodeRange } from './node-version.ts';
import { MOST_PROCESSES, PROCESS_NAME_FORM } from './procfile.ts';

/** Name of the file with a repository's own settings. */
export const PLAN_FILE = 'simcha.json';

/** Settings from simcha.json, which override detected values. */
export interface PlanFile extends Omit<PlanSettings, 'start'> {
  health?: string;
  processes: Readonly<Record<string, string>>;
  release?: string;
  cron?: readonly CronJob[];
  caches?: readonly string[];
  /** Path of the Dockerfile below the site's root; false: an existing Dockerfile is not used. */
  dockerfile?: string | false;
  target?: string;
  args?: Readonly<Record<string, string>>;
}

const MOST_JOBS = 50;
const MOST_CACHES = 20;
const HEALTH_PATH = /^\/([!"$-.0-[\]-~][!"$-[\]-~]*)?$/;
const LONGEST_PATH = 500;
/** Names of a Dockerfile's stages: https://docs.docker.com/reference/dockerfile/#from */
const STAGE = /^[a-z0-9][a-z0-9_.-]{0,99}$/i;
const ARGUMENT = /^[a-z_][a-z0-9_]{0,99}$/i;
const MOST_ARGUMENTS = 50;
const SCHEDULE = /^(@\w{1,20}|\S{1,100}( +\S{1,100}){4})$/;

/** Validates the value of a field of simcha.json. Throws RuntimeFailure with the name of the field. */
type Read<T> = (field: string, value: unknown) => T;

function validator<T>(accepted: Reason, read: (value: unknown) => T | undefined): Read<T> {
  return (field, value) => {
    const result = read(value);
    if (result === undefined) throw new RuntimeFailure(reason('plan_file_field', { field, accepted }));
    return result;
  };
}

const isCommand = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= LONGEST_COMMAND && isSingleLine(value);
const command = validator(reason('accepts_command', { most: LONGEST_COMMAND }), (value) =>
  isCommand(value) ? value.trim() : undefined,
);
/** Reads the value of a field in simcha.json: a command, or an empty text for no command. */
const commandOrNone: Read<string> = (field, value) => (value === '' ? '' : command(field, value));
const processName = validator(reason('accepts_process_name'), (value) =>
  typeof value === 'string' && PROCESS_NAME_FORM.test(value) ? value : undefined,
);
const schedule = validator(reason('accepts_schedule'), (value) => {
  try {
    // Schedules must have five fields: a sixth, for seconds, is too frequent for a site's job, and a single date is no
    // schedule.
    const isForm = typeof value === 'string' && SCHEDULE.test(value);
    return isForm && new Cron(value, { paused: true, mode: '5-part' }).nextRun() ? value : undefined;
  } catch {
    return undefined;
  }
});

const FIELDS = {
  type: validator(reason('accepts_one_of', { values: TYPES.join(', ') }), (value) =>
    TYPES.find((one) => one === value),
  ),
  node: validator(reason('accepts_node'), (value) =>
    typeof value === 'string' && nodeRange(value) !== undefined ? value.trim() : undefined,
  ),
  install: commandOrNone,
  build: commandOrNone,
  start: command,
  publish: validator(reason('accepts_folder'), (value) =>
    typeof value === 'string' ? folderName(value) : undefined,
  ),
  spa: validator(reason('accepts_one_of', { values: 'true, false, "auto"' }), (value) =>
    typeof value === 'boolean' || value === 'auto' ? value : undefined,
  ),
  port: validator(reason('accepts_port'), (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535 ? Number(value) : undefined,
  ),
  health: validator(reason('accepts_path'), (value) =>
    typeof value === 'string' && value.length <= LONGEST_PATH && HEALTH_PATH.test(value) ? value : undefined,
  ),
  processes: (field: string, value: unknown): Record<string, string> => {
    const given = Object.entries(object(field, value));
    if (given.length > MOST_PROCESSES) {
      throw new RuntimeFailure(reason('too_many_kinds', { most: MOST_PROCESSES }));
    }
    return Object.fromEntries(
      given.map(([name, one]) => [processName(`${field}.${name}`, name), command(`${field}.${name}`, one)]),
    );
  },
  release: command,
  cron: (field: string, value: unknown): CronJob[] => {
    const jobs = validator(reason('accepts_jobs', { most: MOST_JOBS }), (all) =>
      Array.isArray(all) && all.length <= MOST_JOBS ? (all as unknown[]) : undefined,
    )(field, value).map((job, index) => {
      const at = `${field}[${index}]`;
      const given = onlyKnownFields(at, object(at, job), ['name', 'schedule', 'command']);
      return {
        name: processName(`${at}.name`, given.name),
        schedule: schedule(`${at}.schedule`, given.schedule),
        command: command(`${at}.command`, given.command),
      };
    });
    const twice = jobs.findIndex(({ name }, index) => jobs.findIndex((one) => one.name === name) < index);
    if (twice >= 0) {
      const accepted = reason('accepts_own_name');
      throw new RuntimeFailure(reason('plan_file_field', { field: `${field}[${twice}].name`, accepted }));
    }
    return jobs;
  },
  caches: validator(reason('accepts_folders', { most: MOST_CACHES }), (value) => {
    if (!Array.isArray(value) || value.length > MOST_CACHES) return undefined;
    const names = value.map((one) => (typeof one === 'string' ? folderName(one) : undefined));
    return names.every((name) => !!name) ? [...new Set(names)] : undefined;
  }),
  dockerfile: validator(reason('accepts_dockerfile'), (value) =>
    value === false ? value : (typeof value === 'string' && folderName(value)) || undefined,
  ),
  target: validator(reason('accepts_stage'), (value) =>
    typeof value === 'string' && STAGE.test(value) ? value : undefined,
  ),
  args: validator(reason('accepts_arguments', { most: MOST_ARGUMENTS }), (value) => {
    if (!isObject(value)) return undefined;
    const given = Object.entries(value);
    const isText = (one: unknown) =>
      typeof one === 'string' && one.length <= LONGEST_COMMAND && !one.includes('\0');
    return given.length <= MOST_ARGUMENTS && given.every(([name, one]) => ARGUMENT.test(name) && isText(one))
      ? (value as Record<string, string>)
      : undefined;
  }),
} as const satisfies Record<string, Read<unknown>>;

export const PLAN_FIELDS: readonly string[] = Object.keys(FIELDS);

function object(field: string, value: unknown): Record<string, unknown> {
  return validator(reason('accepts_object'), (one) => (isObject(one) ? one : undefined))(field, value);
}

/** Throws for unknown fields of simcha.json, which would otherwise be ignored silently. */
function onlyKnownFields(
  at: string,
  given: Record<string, unknown>,
  names: readonly string[],
): Record<string, unknown> {
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const field = [at, unknown.slice(0, 40)].filter(Boolean).join('.');
    throw new RuntimeFailure(reason('plan_file_unknown', { field, known: names.join(', ') }));
  }
  return given;
}

/** Parses a simcha.json. Throws RuntimeFailure with the invalid field and its accepted values. */
export function readPlanFile(text: string): PlanFile {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new RuntimeFailure(reason('plan_file_broken', { error: (error as Error).message }));
  }
  // `$schema` is for editors (https://json-schema.org/learn) and is ignored.
  const { $schema: _, ...given } = object(PLAN_FILE, parsed);
  const read = Object.fromEntries(
    Object.entries(onlyKnownFields('', given, PLAN_FIELDS)).map(([name, value]) => [
      name,
      FIELDS[name as keyof typeof FIELDS](name, value),
    ]),
  ) as Partial<PlanFile> & { start?: string };
  const { start, processes = {}, ...rest } = read;
  if (start !== undefined && processes[WEB] !== undefined) {
    const accepted = reason('accepts_start_once');
    throw new RuntimeFailure(reason('plan_file_field', { field: 'start', accepted }));
  }
  return { ...rest, processes: { ...processes, ...(start !== undefined && { [WEB]: start }) } };
}
