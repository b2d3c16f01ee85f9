import type { GitProtocol } from '../../kernel/config.ts';
import { FieldProblem, type Fields, fieldsOf, invalidField, isBlank, text } from '../../kernel/fields.ts';
import { isPlainlyPrivate } from './hosts.ts';
import { messages } from './messages.ts';
import { isBranch, judgeRepository, type Repository } from './repository.ts';
import { judgeSubdomain } from './subdomain.ts';

export interface RepositoryPolicy {
  protocols: readonly GitProtocol[];
  allowPrivateHosts: boolean;
}

export interface NewApplication {
  name: string;
  repository: Repository;
  branch: string;
  /** undefined: to be made from the name. */
  subdomain: string | undefined;
  root: string | null;
  build: string | null;
  start: string | null;
  health_path: string;
}

export type ApplicationChanges = Partial<Omit<NewApplication, 'subdomain'> & { subdomain: string }>;

export const LENGTHS = { name: 100, branch: 200, root: 500, command: 2_000, health_path: 500 } as const;
export const DEFAULT_BRANCH = 'main';
export const DEFAULT_HEALTH_PATH = '/';

export function readNewApplication(body: unknown, policy: RepositoryPolicy): NewApplication {
  const fields = fieldsOf(body);
  for (const field of ['name', 'repository']) {
    if (isBlank(fields[field])) throw new FieldProblem(field, { kind: 'missing' });
  }
  return {
    name: readName(fields.name),
    repository: readRepository(fields.repository, policy),
    branch: readBranch(fields.branch),
    subdomain: isBlank(fields.subdomain) ? undefined : readSubdomain(fields.subdomain),
    ...readSetup(fields),
  };
}

/** Absent fields stay as they are; null puts an optional one back to its default. */
export function readApplicationChanges(body: unknown, policy: RepositoryPolicy): ApplicationChanges {
  const fields = fieldsOf(body);
  const given = (field: string) => fields[field] !== undefined;
  const setup = Object.entries(readSetup(fields)).filter(([field]) => given(field));
  return {
    ...(given('name') && { name: readName(fields.name) }),
    ...(given('repository') && { repository: readRepository(fields.repository, policy) }),
    ...(given('branch') && { branch: readBranch(fields.branch) }),
    ...(given('subdomain') && { subdomain: readSubdomain(fields.subdomain) }),
    ...Object.fromEntries(setup),
  };
}

function readSetup(fields: Fields): Pick<NewApplication, 'root' | 'build' | 'start' | 'health_path'> {
  return {
    root: readRoot(fields.root),
    build: readCommand('build', fields.build),
    start: readCommand('start', fields.start),
    health_path: readHealthPath(fields.health_path),
  };
}

function readName(value: unknown): string {
  const name = text('name', value, LENGTHS.name);
  if (name === '' || /\p{Cc}/u.test(name)) throw invalidField('name', messages.name);
  return name;
}

function readSubdomain(value: unknown): string {
  const verdict = judgeSubdomain(text('subdomain', value, 100));
  if ('subdomain' in verdict) return verdict.subdomain;
  throw invalidField(
    'subdomain',
    verdict.wrong === 'reserved' ? messages.subdomainReserved : messages.subdomain,
  );
}

function readRepository(value: unknown, policy: RepositoryPolicy): Repository {
  const repository = judgeRepository(text('repository', value, 2_000), policy.protocols);
  if ('wrong' in repository) {
    const { form, protocol, password } = messages.repository;
    const sentences = { form, protocol: protocol(policy.protocols), password };
    throw invalidField('repository', sentences[repository.wrong]);
  }
  if (!policy.allowPrivateHosts && repository.host !== '' && isPlainlyPrivate(repository.host)) {
    throw invalidField('repository', messages.repository.private);
  }
  return repository;
}

function readBranch(value: unknown): string {
  if (isBlank(value)) return DEFAULT_BRANCH;
  const branch = text('branch', value, LENGTHS.branch);
  if (!isBranch(branch)) throw invalidField('branch', messages.branch);
  return branch;
}

/** A folder inside the checkout, without `./` and slashes around it; null for the checkout itself. */
function readRoot(value: unknown): string | null {
  if (isBlank(value)) return null;
  const root = text('root', value, LENGTHS.root);
  const parts = root.split('/').filter((part) => part !== '' && part !== '.');
  const hostile = parts.some((part) => part === '..' || part === '.git' || part.startsWith('-'));
  if (root.startsWith('/') || hostile || /[\p{Cc}\\]/u.test(root)) throw invalidField('root', messages.root);
  return parts.join('/') || null;
}

function readCommand(field: 'build' | 'start', value: unknown): string | null {
  if (isBlank(value)) return null;
  const command = text(field, value, LENGTHS.command);
  if (/\p{Cc}/u.test(command)) throw invalidField(field, messages.command);
  return command;
}

function readHealthPath(value: unknown): string {
  if (isBlank(value)) return DEFAULT_HEALTH_PATH;
  const path = text('health_path', value, LENGTHS.health_path);
  // A browser, and whoever reads addresses like one, takes `/\` for the beginning of another host.
  if (!/^\/(?!\/)[\x21-\x7e]*$/.test(path) || /[\\#]/.test(path))
    throw invalidField('health_path', messages.healthPath);
  return path;
}
