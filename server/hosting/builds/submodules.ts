import { LONGEST_ADDRESS, type Repository } from '../applications/repository.ts';

/** A submodule as a commit has it: its folder, and the commit that belongs there. */
export interface Gitlink {
  path: string;
  hash: string;
}

/** More than people have; each takes a connection of its own. */
export const MOST_SUBMODULES = 50;

/** What git is asked for them once files are in place. One more than the limit is enough to know. */
export const LIST_SUBMODULES = `-c core.quotePath=false ls-files --stage | { grep '^160000 ' | head -n ${MOST_SUBMODULES + 1} | head -c 65536 || :; }`;
const GITLINK = /^160000 ([0-9a-f]{40,64}) 0\t(.+)$/gm;

export function gitlinksIn(said: string): Gitlink[] {
  return [...said.matchAll(GITLINK)].map(([, hash = '', path = '']) => ({ hash, path }));
}

/** The addresses in a `.gitmodules`, by their folders. https://git-scm.com/docs/gitmodules */
export function submoduleUrls(text: string): Map<string, string> {
  const urls = new Map<string, string>();
  let values: { path?: string; url?: string } = {};
  const keep = () => {
    if (values.path !== undefined && values.url !== undefined) urls.set(values.path, values.url);
    values = {};
  };
  let isSubmodule = false;
  // Line by line and without a search in lines: their lengths are a stranger's.
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line.startsWith('[')) {
      keep();
      isSubmodule = line.startsWith('[submodule ');
      continue;
    }
    const at = line.indexOf('=');
    const name = line.slice(0, Math.max(at, 0)).trim().toLowerCase();
    if (!isSubmodule || (name !== 'path' && name !== 'url')) continue;
    const value = unquoted(line.slice(at + 1).trim());
    values[name] = name === 'path' && value.endsWith('/') ? value.slice(0, -1) : value;
  }
  keep();
  return urls;
}

function unquoted(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}

/** The address that a submodule's `url` means in a repository: one that begins with `./` or `../` is relative to the repository's own. */
export function submoduleAddress(url: string, base: string): string {
  if (url.length > LONGEST_ADDRESS || !/^\.\.?\//.test(url)) return url;
  let [at, below] = [base.replace(/\/+$/, ''), url];
  // A colon divides host and path in scp's form alone: elsewhere a port stands behind it.
  const last = base.includes('://') ? /(?<=[^/:])\/[^/]*$/ : /(?<=[^/:])\/[^/]*$|(?<=:)[^/:]+$/;
  for (; ; below = below.slice(below.indexOf('/') + 1)) {
    if (below.startsWith('../')) at = at.replace(last, '');
    else if (!below.startsWith('./')) break;
  }
  return at.endsWith(':') ? `${at}${below}` : `${at}/${below}`;
}

/**
 * The address by https of a submodule that is named by ssh on the host where the application's repository is read by https: such
 * hosts serve the same repositories by both, and no ssh key is there to use.
 */
export function byHttpsLike(main: Repository, address: string): string {
  if (address.length > LONGEST_ADDRESS) return address;
  // By a port of its own it is another server.
  const [, host, path] = /^(?:ssh:\/\/)?[^@/:]+@([^@/:]+)[:/](?!\d+\/)(.+)$/.exec(address) ?? [];
  if (main.protocol !== 'https' || host === undefined || host !== main.host) return address;
  return `https://${new URL(main.address).host}/${path}`;
}
