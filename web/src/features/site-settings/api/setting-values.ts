import type { Application, ApplicationChanges } from 'simcha-client';

/** Settings of a site as a form has them: an empty text is the setting's default. */
export interface SettingValues {
  name: string;
  subdomain: string;
  repository: string;
  image: string;
  registry_user: string;
  /** New password at the image's registry; empty: the stored one stays. */
  registry_password: string;
  branch: string;
  root: string;
  type: string;
  node: string;
  install: string;
  build: string;
  start: string;
  publish: string;
  spa: string;
  port: string;
  health_path: string;
  sticky: boolean;
  time_zone: string;
  /** Watch paths, one on each line. */
  watch_paths: string;
  response_seconds: string;
  max_body_mb: string;
}

export type SettingName = keyof SettingValues;

/** Settings that are numbers or null, which a form has as texts. */
const NUMBERS = ['port', 'response_seconds', 'max_body_mb'] as const;

export function settingsOf(site: Application): SettingValues {
  const { name, subdomain, health_path, sticky, time_zone } = site;
  const { repository, image, registry_user, branch, root, node, install, build, start, publish } = site;
  const texts = { repository, image, registry_user, branch, root, node, install, build, start, publish };
  return {
    name,
    subdomain,
    health_path,
    sticky,
    time_zone,
    ...(Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, value ?? ''])) as Record<
      keyof typeof texts,
      string
    >),
    registry_password: '',
    watch_paths: (site.watch_paths ?? []).join('\n'),
    type: site.type ?? 'auto',
    spa: String(site.spa ?? 'auto'),
    ...(Object.fromEntries(NUMBERS.map((key) => [key, String(site[key] ?? '')])) as Record<
      (typeof NUMBERS)[number],
      string
    >),
  };
}

/** Settings that differ from the stored ones, as the API takes them. */
export function changedSettings(
  values: Partial<SettingValues>,
  before: Partial<SettingValues>,
): ApplicationChanges {
  const changed = Object.entries(values).filter(([name, value]) => value !== before[name as SettingName]);
  return Object.fromEntries(changed.map(([name, value]) => [name, stored(name as SettingName, value)]));
}

export function isNumber(name: SettingName): boolean {
  return (NUMBERS as readonly SettingName[]).includes(name);
}

function stored(name: SettingName, value: string | boolean) {
  if (typeof value === 'boolean') return value;
  const text = value.trim();
  if (name === 'spa') return text === 'auto' ? null : text === 'true';
  if (name === 'type') return text === 'auto' ? null : text;
  if (name === 'watch_paths')
    return text === ''
      ? null
      : text
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean);
  // A text that is no number is sent as it is: the server says what the number must be.
  if (isNumber(name)) return /^\d+$/.test(text) ? Number(text) : text || null;
  // A site must have a name and a subdomain: an empty one is refused at its field.
  if (name === 'name' || name === 'subdomain') return text;
  return text === '' ? null : text;
}
