import type { IncomingHttpHeaders } from 'node:http';
import { singleHeader } from './signature.ts';

/** Change of a branch, as reported by the repository's host. */
export type DeliveryResult =
  /** Push to a branch. `skipsCi`: the newest commit's message asks for no deployment. */
  | { what: 'pushed'; branch: string; isDefault: boolean; skipsCi: boolean }
  | { what: 'deleted'; branch: string }
  /** A pull request (GitLab: merge request) was opened or reopened, or has new commits. */
  | { what: 'proposed'; branch: string; pullRequest: number }
  /** A pull request was merged, or closed without merging. */
  | { what: 'settled'; branch: string; pullRequest: number };

/** Reasons why a webhook delivery from the repository's host causes no deployment and no change of a preview. */
export const IGNORED = [
  'other_event',
  'other_change',
  'tag',
  'fork',
  'other_branch',
  'previews_off',
  'no_preview',
  'no_repository',
  'skip_ci',
  'paths_unchanged',
  'replayed',
] as const;
export type Ignored = (typeof IGNORED)[number];

export interface Nothing {
  what: 'nothing';
  why: Ignored;
}

const nothing = (why: Ignored): Nothing => ({ what: 'nothing', why });

/** Payload from the repository's host. Fields may be missing or have unexpected types. */
type Payload = Partial<Record<string, unknown>>;

/**
 * Reads a delivery. The result is `nothing` if no application is concerned: a ping, a tag, a comment, a pull request
 * from a fork. Formats of GitHub, Gitea, Forgejo and GitLab:
 * https://docs.github.com/en/webhooks/webhook-events-and-payloads, https://docs.gitea.com/usage/webhooks,
 * https://forgejo.org/docs/latest/user/webhooks/, https://docs.gitlab.com/user/project/integrations/webhook_events/
 */
export function readDelivery(headers: IncomingHttpHeaders, body: unknown): DeliveryResult | Nothing {
  const payload = objectIn(body);
  switch (eventOf(headers)) {
    case 'push':
    case 'Push Hook':
      return pushIn(payload);
    case 'delete': {
      if (payload.ref_type === 'tag') return nothing('tag');
      const branch = payload.ref_type === 'branch' ? named(payload.ref) : undefined;
      return branch === undefined ? nothing('other_event') : { what: 'deleted', branch };
    }
    case 'pull_request':
      return pullRequestIn(payload);
    case 'Merge Request Hook':
      return mergeRequestIn(payload);
    default:
      return nothing('other_event');
  }
}

/** Name of the webhook's event; Gitea and Forgejo send GitHub's header besides their own. */
function eventOf(headers: IncomingHttpHeaders): string | undefined {
  return (
    singleHeader(headers, 'x-gitea-event') ??
    singleHeader(headers, 'x-forgejo-event') ??
    singleHeader(headers, 'x-github-event') ??
    singleHeader(headers, 'x-gitlab-event')
  );
}

function pushIn(payload: Payload): DeliveryResult | Nothing {
  const { ref, deleted, after, repository, project } = payload;
  if (named(ref, /^refs\/tags\/(.+)$/) !== undefined) return nothing('tag');
  const branch = named(ref, /^refs\/heads\/(.+)$/);
  if (branch === undefined) return nothing('other_event');
  if (deleted === true || (typeof after === 'string' && /^0+$/.test(after)))
    return { what: 'deleted', branch };
  const byDefault = objectIn(repository).default_branch ?? objectIn(project).default_branch;
  const skipsCi = SKIPS_CI.test(newestMessage(payload));
  return { what: 'pushed', branch, isDefault: byDefault === branch, skipsCi };
}

// Marks in a commit's message that ask for no build: GitHub's
// (https://docs.github.com/en/actions/how-tos/manage-workflow-runs/skip-workflow-runs), of which GitLab supports the
// first two.
const SKIPS_CI = /\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]/i;

/** Message of the branch's newest commit: GitHub and Gitea send it separately, GitLab among the other commits. */
function newestMessage({ head_commit, commits, after }: Payload): string {
  const among = Array.isArray(commits) ? commits.map(objectIn) : [];
  const { message } = head_commit ? objectIn(head_commit) : (among.find(({ id }) => id === after) ?? {});
  return typeof message === 'string' ? message : '';
}

/**
 * Actions on a pull request that change a site, with their names at GitHub and Gitea; changes of titles, labels and
 * reviewers are not among them.
 */
const PULL_REQUEST = new Map<unknown, 'proposed' | 'settled'>([
  ['opened', 'proposed'],
  ['reopened', 'proposed'],
  ['synchronize', 'proposed'],
  ['synchronized', 'proposed'],
  ['closed', 'settled'],
]);

function pullRequestIn(payload: Payload): DeliveryResult | Nothing {
  const what = PULL_REQUEST.get(payload.action);
  const { head, base, number } = objectIn(payload.pull_request);
  const from = objectIn(head);
  const branch = named(from.ref);
  if (what === undefined) return nothing('other_change');
  if (branch === undefined || !isCount(number)) return nothing('other_event');
  const isOwn = isSame(objectIn(from.repo).id, objectIn(objectIn(base).repo).id);
  return isOwn ? { what, branch, pullRequest: number } : nothing('fork');
}

const MERGE_REQUEST = new Map<unknown, 'proposed' | 'settled'>([
  ['open', 'proposed'],
  ['reopen', 'proposed'],
  ['update', 'proposed'],
  ['merge', 'settled'],
  ['close', 'settled'],
]);

function mergeRequestIn(payload: Payload): DeliveryResult | Nothing {
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
  // Updates of a merge request without `oldrev` concern the title, a label or a reviewer.
  if (what === undefined || (action === 'update' && typeof oldrev !== 'string'))
    return nothing('other_change');
  if (branch === undefined || !isCount(iid)) return nothing('other_event');
  if (!isSame(from, to)) return nothing('fork');
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
