/** Programs that host git repositories, for which the console knows the exact steps. */
export const GIT_HOSTS = ['github', 'gitlab', 'gitea', 'forgejo'] as const;
export type GitHost = (typeof GIT_HOSTS)[number];

export const GIT_HOST_NAMES: Readonly<Record<GitHost, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea',
  forgejo: 'Forgejo',
};

interface RepositoryParts {
  host: string;
  /** Path without a leading slash and without `.git`, such as `noa/wedding`. */
  path: string;
  isSsh: boolean;
}

/** Host and path of a repository's address: `https://…`, `ssh://…` or `git@host:path`. */
export function repositoryParts(address: string): RepositoryParts | undefined {
  const [, scheme = 'ssh', host = '', path = ''] =
    /^(?:(https?|ssh):\/\/)?(?:[^@/\s]+@)?([a-z0-9.-]+(?::\d+)?)[/:](.+?)(?:\.git)?\/?$/i.exec(
      address.trim(),
    ) ?? [];
  return host === '' ? undefined : { host, path: path.replace(/^\/+/, ''), isSsh: scheme === 'ssh' };
}

/** Program that hosts a repository, as far as its host's name says it. */
export function gitHostOf(address: string): GitHost | undefined {
  const host = repositoryParts(address)?.host ?? '';
  if (host.includes('codeberg')) return 'forgejo';
  return GIT_HOSTS.find((name) => host.includes(name));
}

/** Address by ssh of a repository that is fetched by https, since deploy keys work by ssh alone. */
export function sshAddressOf(address: string): string | undefined {
  const parts = repositoryParts(address);
  if (!parts || parts.isSsh || parts.host.includes(':')) return undefined;
  return `git@${parts.host}:${parts.path}.git`;
}

const KEY_PAGES: Readonly<Record<GitHost, string>> = {
  github: '/settings/keys/new',
  gitlab: '/-/settings/repository',
  gitea: '/settings/keys',
  forgejo: '/settings/keys',
};
const HOOK_PAGES: Readonly<Record<GitHost, string>> = {
  github: '/settings/hooks/new',
  gitlab: '/-/hooks',
  gitea: '/settings/hooks',
  forgejo: '/settings/hooks',
};

/** Page of the repository's host on which a deploy key or a webhook is added. */
export function hostPage(address: string, gitHost: GitHost, kind: 'key' | 'hook'): string | undefined {
  const parts = repositoryParts(address);
  if (!parts) return undefined;
  return `https://${parts.host}/${parts.path}${(kind === 'key' ? KEY_PAGES : HOOK_PAGES)[gitHost]}`;
}

/** Name for a site, made from its repository's address: the last part of its path. */
export const nameFromRepository = (address: string): string =>
  (repositoryParts(address)?.path ?? address)
    .replace(/\.git\/?$/, '')
    .split('/')
    .at(-1)
    ?.trim() ?? '';
