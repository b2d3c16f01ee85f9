import * as fieldTypes from '../../kernel/field-types.ts';
import { FieldProblem, fieldsAmong, invalidField, readDateTime } from '../../kernel/fields.ts';
import { branchName } from '../applications/fields.ts';
import { isBranch } from '../applications/repository.ts';
import { DEFAULT_LINES, DEFAULT_STREAMED, MOST_LINES } from '../logs/answers.ts';
import { LONGEST_HASH, REF_TYPES, SHORTEST_HASH, type SourceRef } from '../model/source-ref.ts';
import { messages } from './messages.ts';
import type { DeploymentName, ReleaseSource } from './store.ts';

const LONGEST_TAG = 200;

export const rollbackFields = {
  deployment_uuid: {
    type: fieldTypes.withDescription(
      fieldTypes.orNull(fieldTypes.uuid(messages.deploymentUuid)),
      'The deployment whose release should run again; null: the previously live release.',
    ),
    empty: null,
  },
} as const satisfies fieldTypes.FieldTable;

const LONGEST_PREVIEW = 63;
const LONGEST_APPLICATION = 200;

export const promoteFields = {
  application: {
    type: fieldTypes.withDescription(
      fieldTypes.orNull(fieldTypes.line(LONGEST_APPLICATION)),
      'Another application, by UUID, subdomain or name, whose release goes live.',
    ),
    empty: null,
  },
  preview: {
    type: fieldTypes.withDescription(
      fieldTypes.orNull(fieldTypes.text(LONGEST_PREVIEW)),
      'The preview whose release goes live; absent with `application`: its production.',
    ),
    empty: null,
  },
  deployment_uuid: {
    type: fieldTypes.withDescription(
      fieldTypes.orNull(fieldTypes.uuid(messages.deploymentUuid)),
      'A deployment whose release goes live, rather than the one that runs.',
    ),
    empty: null,
  },
} as const satisfies fieldTypes.FieldTable;

/** Release that a promotion names, with the name of the other application, if it names one. */
export type RequestedSource = Omit<ReleaseSource, 'application'> & { application?: string };

/** Reads which release a promotion names: another application's, a preview's, a deployment's, or a combination. */
export function readReleaseSource(body: unknown): RequestedSource {
  const given = fieldsAmong(promoteFields, body ?? {});
  const { application, preview, deployment_uuid: deployment } = fieldTypes.readWhole(promoteFields, given);
  if (application === null && preview === null && deployment === null)
    throw new FieldProblem('preview', { kind: 'missing' });
  return {
    ...(application !== null && { application }),
    ...(preview !== null && { preview }),
    ...(deployment !== null && { deployment }),
  };
}

const anyHash = fieldTypes.matching(
  fieldTypes.text(LONGEST_HASH),
  `^[0-9a-fA-F]{${SHORTEST_HASH},${LONGEST_HASH}}$`,
  messages.commit,
);
const hash = fieldTypes.withDescription(
  { ...anyHash, read: (field, value) => anyHash.read(field, value).toLowerCase() },
  `The hash of a commit, or at least its first ${SHORTEST_HASH} digits.`,
);
const branch = fieldTypes.withDescription(branchName, 'A branch, whose newest commit is deployed this once.');
const tag = fieldTypes.withDescription(
  fieldTypes.restricted(fieldTypes.text(LONGEST_TAG), isBranch, messages.tag),
  'A tag of the repository, or of the image.',
);

/** Reads a deployment's name in a path: `latest`, `current`, or a commit's hash or its beginning. */
export function readDeploymentName(text: string): DeploymentName | undefined {
  if (text === 'latest' || text === 'current') return text;
  const commit = text.toLowerCase();
  const isHash =
    commit.length >= SHORTEST_HASH && commit.length <= LONGEST_HASH && /^[0-9a-f]+$/.test(commit);
  return isHash ? { commit } : undefined;
}

/**
 * Names of what a deployment should deploy, at most one of them. Null and blank text are refused: a script whose
 * variable is unset would otherwise deploy the newest commit.
 */
export const deployFields = {
  commit: { type: hash },
  branch: { type: branch },
  tag: { type: tag },
} as const satisfies fieldTypes.FieldTable & Record<SourceRef['type'], unknown>;

/** Query of a deployment's plan: the same names as in a deployment's request. */
export const refQuery = {
  commit: deployFields.commit.type,
  branch: deployFields.branch.type,
  tag: deployFields.tag.type,
};

/** Reads what a deployment's request names; undefined if it names nothing. */
export function readRef(body: unknown): SourceRef | undefined {
  const given = fieldTypes.readGiven(deployFields, fieldsAmong(deployFields, body ?? {}));
  const [first, second] = REF_TYPES.filter((type) => given[type] !== undefined);
  if (second !== undefined) throw invalidField(second, messages.oneRef);
  return first && { type: first, name: given[first] as string };
}

const lines: fieldTypes.FieldType<number | undefined> = {
  read(name, value) {
    if (value === undefined) return undefined;
    const number = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : 0;
    if (number < 1 || number > MOST_LINES) throw invalidField(name, messages.lines);
    return number;
  },
  schema: {
    type: 'integer',
    minimum: 1,
    maximum: MOST_LINES,
    description: `By default ${DEFAULT_LINES}, in a stream ${DEFAULT_STREAMED}, with \`since\` ${MOST_LINES}.`,
  },
};

const OFFSET = /(?:[Zz]|[+-]\d\d:\d\d)$/;

const since: fieldTypes.FieldType<Temporal.Instant | undefined> = {
  read(name, value) {
    if (value === undefined) return undefined;
    try {
      if (typeof value === 'string' && OFFSET.test(value)) return readDateTime(name, value, 'UTC');
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error;
    }
    throw invalidField(name, messages.since);
  },
  schema: { type: 'string', format: 'date-time', description: 'Only lines from this time on.' },
};

/** Query of a log without an end. */
export const siteLogQuery = { lines, since };

const LONGEST_WAIT_SECONDS = 60;

const wait: fieldTypes.FieldType<number> = {
  read(name, value) {
    if (value === undefined) return 0;
    const seconds = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : 0;
    if (seconds < 1 || seconds > LONGEST_WAIT_SECONDS) throw invalidField(name, messages.wait);
    return seconds;
  },
  schema: {
    type: 'integer',
    minimum: 1,
    maximum: LONGEST_WAIT_SECONDS,
    description:
      'Seconds to wait for the end of the deployment; then it is answered as it is. Absent: answered at once.',
  },
};

export const deploymentQuery = { wait };
