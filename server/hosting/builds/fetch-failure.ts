import { reportsFullDisk } from '../../kernel/full-disk.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import { HASH_AND_MESSAGE } from './commit.ts';
import type { GitFailure } from './git.ts';
import type { CheckedRepository } from './git-access.ts';

const LONGEST_PATH = 200;

/** Failure of fetching a repository. `isCertain`: true if another attempt can't help. */
export class FetchFailure extends Error {
  readonly failure: RuntimeFailure;
  readonly isCertain: boolean;

  constructor({ failure, isCertain }: { failure: RuntimeFailure; isCertain: boolean }) {
    super(failure.message);
    this.failure = failure;
    this.isCertain = isCertain;
  }
}

const NO_REF = /couldn't find remote ref|Remote branch .* not found/i;
const OTHER_HOST_KEY = /Host key verification failed|IDENTIFICATION HAS CHANGED/i;
const NO_ACCESS =
  /Authentication failed|Permission denied|could not read Username|not found|does not appear to be a git repository|No such file|access denied|returned error: 40[134]/i;

/** Wraps a submodule's failure as a failure of the whole fetch. */
export function wrapSubmoduleError(path: string, error: unknown): unknown {
  if (error instanceof FetchFailure)
    return new FetchFailure({
      failure: submoduleFailure(path, error.failure.reason),
      isCertain: error.isCertain,
    });
  return error instanceof RuntimeFailure ? submoduleFailure(path, error.reason) : error;
}

function submoduleFailure(path: string, why: Reason): RuntimeFailure {
  return new RuntimeFailure(reason('submodule_failed', { path: path.slice(0, LONGEST_PATH), why }));
}

const NO_COMMIT = /not our ref|unadvertised object|Needed a single revision/i;
/** Git's message if the fetched commits do not include the requested one. */
const NOT_FETCHED = /Needed a single revision/i;
const AMBIGUOUS = /short object ID \S+ is ambiguous/i;
/** Git's message if the host sends only commits that a branch or tag names, or their ancestors. */
const WITHHELD = /unadvertised object/i;

/** True if git failed because the repository's host sends no commit by its hash alone. */
export function isWithheld({ message, reason: ownReason }: GitFailure): boolean {
  return ownReason === undefined && WITHHELD.test(message);
}

/** True if git fetched what it was told to, but the requested commit was not among it. */
export function lacksCommit({ message, reason: ownReason }: GitFailure): boolean {
  return ownReason === undefined && NOT_FETCHED.test(message);
}

/**
 * Turns git's error output into a reason for people that reveals nothing of this machine. `isCertain`: true if another
 * attempt can't help.
 */
export function explainFailure(
  { message, reason: ownReason }: GitFailure,
  requested: CheckedRepository,
  revision: string,
  isFull: boolean,
): { failure: RuntimeFailure; isCertain: boolean } {
  const certain = (why: Reason) => ({ failure: new RuntimeFailure(why), isCertain: true });
  const passing = (why: Reason) => ({ failure: new RuntimeFailure(why), isCertain: false });
  if (ownReason) return passing(ownReason);
  // Git's errors after it has listed the commit concern the commit's files, not access to the repository.
  const repository = message.search(HASH_AND_MESSAGE) === -1 ? requested : undefined;
  if (repository && NO_REF.test(message)) return certain(missingRef(revision));
  if (AMBIGUOUS.test(message)) return certain(reason('ambiguous_commit', { hash: revision }));
  if (repository && NO_COMMIT.test(message))
    return certain(reason('no_commit', { hash: revision.slice(0, 12) }));
  if (OTHER_HOST_KEY.test(message)) return certain(reason('other_host_key'));
  // The free space is checked as well: not every part of git reports a full disk.
  if (isFull || reportsFullDisk(message)) return passing(reason('no_room'));
  if (NO_ACCESS.test(message)) return certain(reason(noAccessBy(repository)));
  return passing(reason('repository_unreachable', { why: reason(causeIn(message)) }));
}

/** Reason for a branch or tag, by its full name, that the repository does not have. */
function missingRef(revision: string): Reason {
  const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/.exec(revision) ?? [];
  if (name === undefined) return reason('no_commits');
  return kind === 'tags' ? reason('no_tag', { tag: name }) : reason('no_branch', { branch: name });
}

function noAccessBy(repository: CheckedRepository | undefined) {
  switch (repository?.protocol) {
    case 'ssh':
      return repository.privateKey ? 'no_access_by_deploy_key' : 'no_access_without_deploy_key';
    case 'http':
    case 'https':
      return repository.credentials ? 'no_access_by_credentials' : 'no_access_without_credentials';
    default:
      return 'no_access';
  }
}

const CAUSES = [
  [/Could not resolve/i, 'host_unknown'],
  [/timed out|timeout/i, 'host_silent'],
  [/Connection refused/i, 'host_refuses'],
  [/redirect|returned error: 30[1-8]/i, 'repository_moved'],
  [/certificate|SSL|TLS/i, 'certificate_untrusted'],
  [/transport .* not allowed/i, 'protocol_not_allowed'],
] as const;

function causeIn(output: string) {
  return CAUSES.find(([pattern]) => pattern.test(output))?.[1] ?? 'git_failed';
}
