import { LONGEST_ADDRESS, type Repository } from '../applications/repository.ts';

/** Submodule in a commit: its folder, and the hash of the submodule's commit. */
export interface Gitlink {
  path: string;
  hash: string;
}

/** Maximum number of submodules; each needs its own connection. */
export const MOST_SUBMODULES = 50;

/** Git command that lists submodules, after the checkout. One more than the limit is enough to detect too many. */
export const LIST_SUBMODULES = `-c core.quotePath=false ls-files --stage | { grep '^160000 ' | head -n ${MOST_SUBMODULES + 1} | head -c 65536 || :; }`;
const GITLINK = /^160000 ([0-9a-f]{40,64}) 0\t(.+)$/gm;

export function gitlinksIn(gitOutput: string): Gitlink[] {
  return [...gitOutput.matchAll(GITLINK)].map(([, hash = '', path = '']) => ({ hash, path }));
}

/** Addresses of submodules in the text of a `.gitmodules`, by folder. https://git-scm.com/docs/gitmodules */
export function submoduleUrls(text: string): Map<string, string> {
  const urls = new Map<string, string>();
  let values: { path?: string; url?: string } = {};
  const keep = () => {
    if (values.path !== undefined && values.url !== undefined) urls.set(values.path, values.url);
    values = {};
  };
  let isSubmodule = false;
  // Lines of .gitmodules are split without regular expressions, because their length is untrusted.
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line.startsWith('[')) {
      keep();
      isSubmodule = line.startsWith('[submodule ');
      continue;
    }
    const address = line.indexOf('=');
    const name = line.slice(0, Math.max(address, 0)).trim().toLowerCase();
    if (!isSubmodule || (name !== 'path' && name !== 'url')) continue;
    const value = unquoted(line.slice(address + 1).trim());
    values[name] = name === 'path' && value.endsWith('/') ? value.slice(0, -1) : value;
  }
  keep();
  return urls;
}

function unquoted(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}

/** Resolves a submodule's `url`: one that begins with `./` or `../` is relative to its repository's address. */
export function submoduleAddress(url: string, base: string): string {
  if (url.length > LONGEST_ADDRESS || !/^\.\.?\//.test(url)) return url;
  let [address, below] = [base.replace(/\/+$/, ''), url];
  // A colon separates host and path only in scp's form of an address; in other forms a port follows it.
  const last = base.includes('://') ? /(?<=[^/:])\/[^/]*$/ : /(?<=[^/:])\/[^/]*$|(?<=:)[^/:]+$/;
  for (; ; below = below.slice(below.indexOf('/') + 1)) {
    if (below.startsWith('../')) address = address.replace(last, '');
    else if (!below.startsWith('./')) break;
  }
  return address.endsWith(':') ? `${address}${below}` : `${address}/${below}`;
}

/**
 * Rewrites a submodule's ssh address to https, if its host is the one where the application's repository is read by
 * https: such hosts serve the same repositories by both protocols, and there is no ssh key to use.
 */
export function byHttpsLike(main: Repository, address: string): string {
  if (address.length > LONGEST_ADDRESS) return address;
  // An ssh address with a port is not rewritten: another port may be another server.
  const [, host, path] = /^(?:ssh:\/\/)?[^@/:]+@([^@/:]+)[:/](?!\d+\/)(.+)$/.exec(address) ?? [];
  if (main.protocol !== 'https' || host === undefined || host !== main.host) return address;
  return `https://${new URL(main.address).host}/${path}`;
}
