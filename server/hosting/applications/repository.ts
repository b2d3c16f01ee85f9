import { isIP } from 'node:net';
import type { GitProtocol } from '../../kernel/config.ts';

/** Where a repository is, taken apart. `address` is what may be shown: it carries no password and no token. */
export interface Repository {
  protocol: GitProtocol;
  /** Empty for a local folder (`file`). An IPv6 address stands without its brackets. */
  host: string;
  port: number | undefined;
  address: string;
  /** `user:password` or `token`, percent-encoded as they stood in the address. */
  credentials: string | undefined;
}

export type RepositoryProblem =
  | { wrong: 'form' | 'protocol' | 'password' }
  /** It is `address` but for the protocol. */
  | { wrong: 'scheme'; address: string }
  | ({ wrong: 'page' } & BrowsedPage);

/** A page of a repository at its host, and what its visitor most likely meant: a branch may have the folder in its name. */
export interface BrowsedPage {
  repository: string;
  branch: string;
  /** Empty for the repository's root, and where the page is a file's. */
  folder: string;
}

export const LONGEST_ADDRESS = 1_000;
// Printable ASCII alone: no space, control character or lookalike of another script gets near git's command line.
const PRINTABLE = /^[\x21-\x7e]+$/;
const HOST = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;
const USER = /^[a-z0-9_][a-z0-9_.-]*$/i;
const SHORT_FORM = /^([^@/:]+)@([^@/:]+):(?!\/\/|:)([^:]+)$/;

/**
 * Reads an address as hostile: `https://`, `ssh://`, `user@host:path` and, where allowed, the others; never a
 * helper (`ext::`), an option, a host that looks like one, a query or a fragment.
 */
export function judgeRepository(
  text: string,
  allowed: readonly GitProtocol[],
): Repository | RepositoryProblem {
  if (text.length > LONGEST_ADDRESS || !PRINTABLE.test(text) || text.startsWith('-') || text.includes('\\')) {
    return { wrong: 'form' };
  }
  const verdict = text.includes('://') ? readUrl(text) : readShortForm(text);
  if ('wrong' in verdict) return verdict;
  return allowed.includes(verdict.protocol) ? verdict : { wrong: 'protocol' };
}

/** The address git is given. */
export function addressWithCredentials(address: string, credentials: string | undefined): string {
  return credentials ? address.replace('://', `://${credentials}@`) : address;
}

function readUrl(text: string): Repository | RepositoryProblem {
  const scheme = /^([a-z][a-z0-9]*):\/\/(?=[^/]|\/[^/])/i.exec(text)?.[1]?.toLowerCase();
  if (!scheme || !URL.canParse(text)) return { wrong: 'form' };
  const protocol = (['https', 'ssh', 'http', 'git', 'file'] as const).find((one) => one === scheme);
  if (!protocol) return { wrong: 'protocol' };
  const url = new URL(text);
  const page = protocol === 'https' || protocol === 'http' ? browsedPage(url) : undefined;
  if (page) return { wrong: 'page', ...page };
  if (url.search || url.hash || /[?#]/.test(text) || !isPath(url.pathname)) return { wrong: 'form' };
  if (protocol === 'file') {
    const plain = url.host === '' && url.username === '';
    return plain
      ? { protocol, host: '', port: undefined, address: `file://${url.pathname}`, credentials: undefined }
      : { wrong: 'form' };
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!isHost(host)) return { wrong: 'form' };
  const port = url.port === '' ? undefined : Number(url.port);
  const place = `${url.host}${url.pathname}`;
  if (protocol === 'ssh') {
    if (url.password) return { wrong: 'password' };
    if (url.username && !USER.test(url.username)) return { wrong: 'form' };
    const user = url.username && `${url.username}@`;
    return { protocol, host, port, address: `ssh://${user}${place}`, credentials: undefined };
  }
  if (decode(url.username + url.password) === undefined) return { wrong: 'form' };
  const credentials = url.password ? `${url.username}:${url.password}` : url.username || undefined;
  return { protocol, host, port, address: `${protocol}://${place}`, credentials };
}

/**
 * How hosts address a folder of a branch: GitHub's `tree`, GitLab's `-/tree`, Gitea's and Forgejo's `src/branch`, Bitbucket's
 * `src`. A branch is taken to be one part of the address, for where it ends can't be told.
 */
const PAGES = [
  /^(?<path>\/.+?)\/-\/(?<kind>tree|blob)\/(?<branch>[^/]+)(?<below>\/.*)?$/,
  /^(?<path>\/[^/]+\/[^/]+)\/(?<kind>tree|blob)\/(?<branch>[^/]+)(?<below>\/.*)?$/,
  /^(?<path>\/[^/]+\/[^/]+)\/(?<kind>src)\/branch\/(?<branch>[^/]+)(?<below>\/.*)?$/,
] as const;
const BITBUCKET = /^(?<path>\/[^/]+\/[^/]+)\/(?<kind>src)\/(?<branch>[^/]+)(?<below>\/.*)?$/;

function browsedPage({ protocol, host, hostname, pathname }: URL): BrowsedPage | undefined {
  const patterns = hostname === 'bitbucket.org' ? [BITBUCKET] : PAGES;
  const { path, kind, branch, below } =
    patterns.map((pattern) => pattern.exec(pathname)?.groups).find((groups) => groups) ?? {};
  // A repository may lie deeper on a plain server.
  if (path === undefined || branch === undefined || pathname.endsWith('.git')) return undefined;
  const folder = kind === 'blob' ? '' : (below ?? '').replace(/^\/+|\/+$/g, '');
  const [decodedBranch, decodedFolder] = [decode(branch), decode(folder)];
  if (decodedBranch === undefined || decodedFolder === undefined) return undefined;
  return { repository: `${protocol}//${host}${path}`, branch: decodedBranch, folder: decodedFolder };
}

/** `user@host:path`, as git and its hosts write it for ssh. */
function readShortForm(text: string): Repository | RepositoryProblem {
  const [, user = '', host = '', path = ''] = SHORT_FORM.exec(text) ?? [];
  const fits = isHost(host) && USER.test(user) && isPath(`/${path}`);
  if (!fits) return withoutScheme(text) ?? { wrong: 'form' };
  return { protocol: 'ssh', host, port: undefined, address: text, credentials: undefined };
}

/** What browsers show of an address, from which it is copied without `https://`. */
function withoutScheme(text: string): RepositoryProblem | undefined {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?\//i.test(text)) return undefined;
  const read = readUrl(`https://${text}`);
  if (!('wrong' in read)) return { wrong: 'scheme', address: read.address };
  return read.wrong === 'page' ? read : undefined;
}

function isHost(host: string): boolean {
  return isIP(host) === 6 || (HOST.test(host) && !host.includes('..') && host.length <= 253);
}

/** More than `/`, and no part of it, once decoded as git decodes it, an option, a way up or a control character. */
function isPath(path: string): boolean {
  const decoded = decode(path);
  if (decoded === undefined || path.length <= 1) return false;
  return !decoded.split('/').some((part) => part === '..' || part.startsWith('-'));
}

/** Whether git takes `name` for a branch, by its own rules (git help check-ref-format), and for nothing else. */
export function isBranch(name: string): boolean {
  return (
    name.length <= 200 &&
    name !== '@' &&
    !/^[-/.]|[/.]$|\.lock(\/|$)|\/[/.-]|\.\.|@\{/.test(name) &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
    /^[^\x00-\x20\x7f~^:?*[\\]+$/.test(name) &&
    name.isWellFormed()
  );
}

function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
    return /[\x00-\x1f\x7f\\]/.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}
