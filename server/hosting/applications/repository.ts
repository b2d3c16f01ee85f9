import { isIP } from 'node:net';
import type { GitProtocol } from '../../kernel/settings.ts';

/** Parsed address of a repository. `address` may be shown to people: it contains no password and no token. */
export interface Repository {
  protocol: GitProtocol;
  /** Host in the repository's address; empty for a local folder (`file`). IPv6 addresses have no brackets. */
  host: string;
  port: number | undefined;
  address: string;
  /** Credentials of the repository: `user:password` or `token`, percent-encoded as in the original address. */
  credentials: string | undefined;
}

export type RepositoryProblem =
  | { wrong: 'form' | 'protocol' | 'password' }
  /**
   * Repository's address without a protocol such as `https://`; `address` is the full address that was most likely
   * meant.
   */
  | { wrong: 'scheme'; address: string }
  | ({ wrong: 'page' } & BrowsedPage);

/** Address of a web page about a repository, taken apart. The branch is a guess: its name may contain slashes. */
export interface BrowsedPage {
  repository: string;
  branch: string;
  /** Folder in the repository; empty for the repository's root, and for web pages about files. */
  folder: string;
}

export const LONGEST_ADDRESS = 1_000;
// Printable ASCII only: no space, control character or lookalike from another script may reach git's command line.
const PRINTABLE = /^[\x21-\x7e]+$/;
const HOST = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i;
const USER = /^[a-z0-9_][a-z0-9_.-]*$/i;
const SHORT_FORM = /^([^@/:]+)@([^@/:]+):(?!\/\/|:)([^:]+)$/;

/**
 * Parses a repository's address as untrusted input: `https://`, `ssh://`, `user@host:path` and other protocols if
 * allowed; never a remote helper (`ext::`), an option, a host that looks like an option, a query or a fragment.
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

/** Adds credentials to a repository's address, as git needs it. */
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
 * Web addresses of a branch's folder: GitHub's `tree`, GitLab's `-/tree`, Gitea's and Forgejo's `src/branch`,
 * Bitbucket's `src`. The branch is assumed to have no slash in its name, because its end can't be recognised otherwise.
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
  // An address that ends with `.git` is a repository, although its path may look like a web page about a folder.
  if (path === undefined || branch === undefined || pathname.endsWith('.git')) return undefined;
  const folder = kind === 'blob' ? '' : (below ?? '').replace(/^\/+|\/+$/g, '');
  const [decodedBranch, decodedFolder] = [decode(branch), decode(folder)];
  if (decodedBranch === undefined || decodedFolder === undefined) return undefined;
  return { repository: `${protocol}//${host}${path}`, branch: decodedBranch, folder: decodedFolder };
}

/** Parses `user@host:path`, the short form of git for ssh. */
function readShortForm(text: string): Repository | RepositoryProblem {
  const [, user = '', host = '', path = ''] = SHORT_FORM.exec(text) ?? [];
  const fits = isHost(host) && USER.test(user) && isPath(`/${path}`);
  if (!fits) return withoutScheme(text) ?? { wrong: 'form' };
  return { protocol: 'ssh', host, port: undefined, address: text, credentials: undefined };
}

/** Parses a repository's address without `https://`, as browsers show it and people copy it. */
function withoutScheme(text: string): RepositoryProblem | undefined {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?\//i.test(text)) return undefined;
  const read = readUrl(`https://${text}`);
  if (!('wrong' in read)) return { wrong: 'scheme', address: read.address };
  return read.wrong === 'page' ? read : undefined;
}

function isHost(host: string): boolean {
  return isIP(host) === 6 || (HOST.test(host) && !host.includes('..') && host.length <= 253);
}

/** True if the path is more than `/` and, once decoded as git does, contains no option, `..` or control character. */
function isPath(path: string): boolean {
  const decoded = decode(path);
  if (decoded === undefined || path.length <= 1) return false;
  return !decoded.split('/').some((part) => part === '..' || part.startsWith('-'));
}

/**
 * True if git accepts `name` as the name of a branch by its own rules (git help check-ref-format), and can't read it as
 * anything else, such as an option.
 */
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
