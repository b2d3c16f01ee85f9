import type { Deployment } from 'simcha-client';
import type { words } from './remedy-words.ts';

/** Section of the site in which the user mends the cause; `again` if another try may help. */
export type Place = 'variables' | 'settings' | 'volumes' | 'again';

export interface Remedy {
  /** Sentence of remedy-words.ts. */
  advice: keyof typeof words;
  places: readonly Place[];
}

const remedy = (advice: Remedy['advice'], ...places: Place[]): Remedy => ({ advice, places });

/** Remedies by what a failed command wrote, the most telling first. The output is quoted in the reason. */
const BY_OUTPUT: readonly (readonly [RegExp, Remedy])[] = [
  [
    /heap out of memory|APPS_BUILD_MEMORY_MB|NODE_OPTIONS|\bENOMEM\b|APPS_RESERVE_MB/i,
    remedy('memory', 'variables', 'again'),
  ],
  [
    /lock ?file|EUSAGE|npm ci|ERR_PNPM_OUTDATED|YN0028|frozen-lockfile|poetry\.lock|Gemfile\.lock/i,
    remedy('lockfile'),
  ],
  [/ETARGET|E404|No matching (version|distribution)|notarget|404 Not Found - GET/i, remedy('noVersion')],
  [
    /EBADENGINE|Unsupported engine|requires Node|node:? .*incompatible|Your Ruby version is/i,
    remedy('nodeVersion', 'settings'),
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|network (error|request)|Could not reach host|Failed to fetch/i,
    remedy('network', 'again'),
  ],
  [
    /cannot find (module|package)|module not found|can't resolve|could not resolve|failed to resolve import|no module named|cannot load such file|MODULE_NOT_FOUND/i,
    remedy('missingModule'),
  ],
  [
    /environment variable|env var|is not set|must be set|missing (required )?(env|secret|key)|KeyError: '[A-Z_]+'|SECRET_KEY|DATABASE_URL|_KEY\b.*(undefined|missing|required)/i,
    remedy('missingVariable', 'variables'),
  ],
  [
    /ECONNREFUSED|connection refused|ConnectionNotEstablished|OperationalError/i,
    remedy('service', 'variables'),
  ],
  [/\b127\b|command not found|: not found\b/i, remedy('notFound', 'settings')],
  [/Missing script/i, remedy('missingScript', 'settings')],
  [/EADDRINUSE/i, remedy('portTaken', 'settings')],
  [/error TS\d+|Type error|is not assignable to/i, remedy('types')],
  [/no-unused|eslint|prettier/i, remedy('lint')],
  [/EACCES|EROFS|read-only file system|permission denied/i, remedy('readOnly', 'volumes')],
];

/** Remedies by the code of the reason. */
const BY_CODE: Readonly<Record<string, Remedy>> = {
  command_failed: remedy('command', 'settings'),
  release_failed: remedy('command', 'variables'),
  ended_before_healthy: remedy('ended', 'variables', 'settings'),
  not_healthy: remedy('unhealthy', 'settings'),
  not_healthy_at_last: remedy('unhealthy', 'settings'),
  not_listening: remedy('notListening', 'settings'),
  listens_elsewhere: remedy('notListening', 'settings'),
  no_access: remedy('noAccess', 'settings'),
  no_access_by_deploy_key: remedy('noAccess', 'settings'),
  no_access_without_deploy_key: remedy('noAccess', 'settings'),
  no_access_by_credentials: remedy('noAccess', 'settings'),
  no_access_without_credentials: remedy('noAccess', 'settings'),
  other_host_key: remedy('hostKey', 'settings'),
  repository_refused: remedy('address', 'settings'),
  repository_unreachable: remedy('address', 'settings', 'again'),
  protocol_refused: remedy('address', 'settings'),
  no_branch: remedy('branch', 'settings'),
  no_commits: remedy('branch', 'settings'),
  no_commit: remedy('pushFirst', 'again'),
  no_tag: remedy('pushFirst', 'again'),
  nothing_found: remedy('nothingFound', 'settings'),
  nothing_found_in_package: remedy('nothingFound', 'settings'),
  applications_below: remedy('folder', 'settings'),
  no_root: remedy('folder', 'settings'),
  compose_beside: remedy('folder', 'settings'),
  no_index: remedy('publish', 'settings'),
  pages_in: remedy('publish', 'settings'),
  unbuilt_page: remedy('publish', 'settings'),
  no_start: remedy('start', 'settings'),
  no_start_in_language: remedy('start', 'settings'),
  several_programs: remedy('start', 'settings'),
  only_development: remedy('start', 'settings'),
  needs_server: remedy('start', 'settings'),
  needs_adapter: remedy('start', 'settings'),
  node_unmet: remedy('nodeVersion', 'settings'),
  node_unreadable: remedy('nodeVersion', 'settings'),
  version_unmet: remedy('nodeVersion', 'settings'),
  volume_covered: remedy('volume', 'volumes'),
  volume_through_link: remedy('volume', 'volumes'),
  over_budget: remedy('budget'),
  disk_budget_full: remedy('budget', 'volumes'),
  no_room: remedy('operator', 'again'),
  no_files: remedy('operator', 'again'),
  sandbox_missing: remedy('operator'),
  sandbox_fails: remedy('operator'),
  program_missing: remedy('operator'),
  engine_away: remedy('tryAgain', 'again'),
  registry_away: remedy('tryAgain', 'again'),
  no_machine: remedy('operator', 'again'),
  named_image_missing: remedy('image', 'settings'),
  named_image_denied: remedy('image', 'settings'),
  registry_refused: remedy('image', 'settings'),
  not_an_image: remedy('image', 'settings'),
  no_command_in_image: remedy('start', 'settings'),
  no_own_command: remedy('start', 'settings'),
  registry_limited: remedy('tryAgain', 'again'),
  registry_unreached: remedy('tryAgain', 'again'),
  image_without_engine: remedy('operator'),
  image_off: remedy('operator'),
  image_untrusted: remedy('operator'),
  internal: remedy('tryAgain', 'again'),
  too_many_attempts: remedy('tryAgain', 'again'),
  release_gone: remedy('tryAgain', 'again'),
  upload_gone: remedy('upload'),
  not_uploaded: remedy('upload'),
  superseded: remedy('superseded'),
};

/** Reasons that quote the output of a command or of the site. */
const QUOTING = new Set([
  'command_failed',
  'release_failed',
  'ended_before_healthy',
  'not_healthy',
  'not_healthy_at_last',
  'not_listening',
  'dockerfile_refused',
]);

/** Likely remedy of a deployment that did not go live; undefined if its reason says all. */
export function remedyOf({
  reason,
  reason_code: code,
}: Pick<Deployment, 'reason' | 'reason_code'>): Remedy | undefined {
  if (code === null) return undefined;
  const byOutput = QUOTING.has(code) && BY_OUTPUT.find(([pattern]) => pattern.test(reason ?? ''));
  return byOutput ? byOutput[1] : BY_CODE[code];
}
