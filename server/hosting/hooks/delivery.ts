import type { IncomingHttpHeaders } from 'node:http';
import { header } from './signature.ts';

/** What became of a branch of the repository, as its host tells it. */
export type Told =
  | { what: 'pushed'; branch: string; isDefault: boolean }
  | { what: 'deleted'; branch: string }
  /** A pull request (GitLab: merge request) was opened, opened again, or has other commits. */
  | { what: 'proposed'; branch: string; pullRequest: number }
  /** The same is merged, or closed without it. */
  | { what: 'settled'; branch: string; pullRequest: number };

/** As much of a payload as concerns us: any of it may be missing, or of another kind. */
type Payload = Partial<Record<string, unknown>>;

/**
 * What a delivery tells; undefined for what concerns nobody here: a ping, a tag, a comment, a pull request out of somebody
 * else's repository. As GitHub, Gitea, Forgejo and GitLab document their webhooks:
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads, https://docs.gitea.com/usage/webhooks,
 * https://forgejo.org/docs/latest/user/webhooks/, https://docs.gitlab.com/user/project/integrations/webhook_events/
 */
export function toldBy(headers: IncomingHttpHeaders, body: unknown): Told | undefined {
  const payload = objectIn(body);
  switch (eventOf(headers)) {
    case 'push':
    case 'Push Hook':
      return pushIn(payload);
    case 'delete': {
      const branch = payload.ref_type === 'branch' ? named(payload.ref) : undefined;
      return branch === undefined ? undefined : { what: 'deleted', branch };
    }
    case 'pull_request':
      return pullRequestIn(payload);
    case 'Merge Request Hook':
      return mergeRequestIn(payload);
    default:
      return undefined;
  }
}

/** Gitea and Forgejo send GitHub's header beside their own. */
function eventOf(headers: IncomingHttpHeaders): string | undefined {
  return (
    header(headers, 'x-gitea-event') ??
    header(headers, 'x-forgejo-event') ??
    header(headers, 'x-github-event') ??
    header(headers, 'x-gitlab-event')
  );
}

function pushIn({ ref, deleted, after, repository, project }: Payload): Told | undefined {
  const branch = named(ref, /^refs\/heads\/(.+)$/);
  if (branch === undefined) return undefined;
  if (deleted === true || (typeof after === 'string' && /^0+$/.test(after)))
    return { what: 'deleted', branch };
  const byDefault = objectIn(repository).default_branch ?? objectIn(project).default_branch;
  return { what: 'pushed', branch, isDefault: byDefault === branch };
}

/** What is done to it, by GitHub's names and Gitea's; titles, labels and reviewers change no site. */
const PULL_REQUEST = new Map<unknown, 'proposed' | 'settled'>([
  ['opened', 'proposed'],
  ['reopened', 'proposed'],
  ['synchronize', 'proposed'],
  ['synchronized', 'proposed'],
  ['closed', 'settled'],
]);

function pullRequestIn(payload: Payload): Told | undefined {
  const what = PULL_REQUEST.get(payload.action);
  const { head, base, number } = objectIn(payload.pull_request);
  const from = objectIn(head);
  const branch = named(from.ref);
  if (what === undefined || branch === undefined || !isCount(number)) return undefined;
  const isOwn = isSame(objectIn(from.repo).id, objectIn(objectIn(base).repo).id);
  return isOwn ? { what, branch, pullRequest: number } : undefined;
}

const MERGE_REQUEST = new Map<unknown, 'proposed' | 'settled'>([
  ['open', 'proposed'],
  ['reopen', 'proposed'],
  ['update', 'proposed'],
  ['merge', 'settled'],
  ['close', 'settled'],
]);

function mergeRequestIn(payload: Payload): Told | undefined {
  const {
    action,
    oldrev,
    iid,
    source_branch,
    source_project_id: from,
    target_project_id: to,
  } = objectIn(payload.object_attributes);
  const what = MERGE_REQUEST.get(action);
  const branch = named(source_branch);
  if (what === undefined || branch === undefined || !isCount(iid) || !isSame(from, to)) return undefined;
  // An update without it is of a title, a label or a reviewer.
  if (action === 'update' && typeof oldrev !== 'string') return undefined;
  return { what, branch, pullRequest: iid };
}

function objectIn(value: unknown): Payload {
  return typeof value === 'object' && value !== null ? (value as Payload) : {};
}

function named(value: unknown, pattern = /^(.+)$/): string | undefined {
  return typeof value === 'string' ? pattern.exec(value)?.[1] : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isSame(one: unknown, other: unknown): boolean {
  return isCount(one) && one === other;
}
