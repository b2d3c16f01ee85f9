/** Hosts of repositories for which the page knows each step. */
export const REPOSITORY_HOSTS = ['github', 'gitlab', 'gitea', 'forgejo'] as const;
export type RepositoryHost = (typeof REPOSITORY_HOSTS)[number];

/** Pages, buttons and fields of a repository's host, by the English names that they have there. */
interface HostTerms {
  name: string;
  keys: { path: string; menu: string; button: string; option: string };
  hooks: {
    path: string;
    menu: string;
    button: string;
    address: string;
    secret: string;
    type?: string;
    /** Events for pushes alone, and those for previews besides. */
    events: string;
    previewEvents: string;
  };
}

const FORGE_HOOKS = {
  menu: 'Settings → Webhooks',
  address: 'Target URL',
  secret: 'Secret',
  type: 'application/json',
  events: 'Push events',
  previewEvents: 'Push, Delete, Pull request, Pull request synchronized',
} as const;
const FORGE_KEYS = {
  path: '/settings/keys',
  menu: 'Settings → Deploy keys',
  button: 'Add deploy key',
  option: 'Enable write access',
} as const;

export const HOST_TERMS: Readonly<Record<RepositoryHost, HostTerms>> = {
  github: {
    name: 'GitHub',
    keys: {
      path: '/settings/keys/new',
      menu: 'Settings → Deploy keys',
      button: 'Add deploy key',
      option: 'Allow write access',
    },
    hooks: {
      path: '/settings/hooks/new',
      menu: 'Settings → Webhooks',
      button: 'Add webhook',
      address: 'Payload URL',
      secret: 'Secret',
      type: 'application/json',
      events: 'Just the push event',
      previewEvents: 'Pushes, Pull requests, Branch or tag deletion',
    },
  },
  gitlab: {
    name: 'GitLab',
    keys: {
      path: '/-/settings/repository',
      menu: 'Settings → Repository → Deploy keys',
      button: 'Add new key',
      option: 'Grant write permissions to this key',
    },
    hooks: {
      path: '/-/hooks',
      menu: 'Settings → Webhooks',
      button: 'Add new webhook',
      address: 'URL',
      secret: 'Secret token',
      events: 'Push events',
      previewEvents: 'Push events, Merge request events',
    },
  },
  gitea: {
    name: 'Gitea',
    keys: FORGE_KEYS,
    hooks: { path: '/settings/hooks/gitea/new', button: 'Add Webhook → Gitea', ...FORGE_HOOKS },
  },
  forgejo: {
    name: 'Forgejo',
    keys: FORGE_KEYS,
    hooks: { path: '/settings/hooks/forgejo/new', button: 'Add webhook → Forgejo', ...FORGE_HOOKS },
  },
};

/** Web address and path of a repository, of whichever form its address is; undefined for a folder of the server. */
export function webPageOf(repository: string): string | undefined {
  const [, host, path] =
    /^(?:https?|ssh|git):\/\/(?:[^@/]+@)?([^/]+)\/(.+)$/.exec(repository) ??
    /^[^@/]+@([^:/]+):(.+)$/.exec(repository) ??
    [];
  if (host === undefined || path === undefined) return undefined;
  const isSsh = !/^https?:/.test(repository);
  const port = isSsh ? host.replace(/:\d+$/, '') : host;
  return `https://${port}/${path.replace(/\/+$/, '').replace(/\.git$/, '')}`;
}

/** Host of a repository, as far as its name tells. */
export function hostOf(repository: string): RepositoryHost {
  const host = new URL(webPageOf(repository) ?? 'https://github.com').hostname;
  if (/(^|\.)gitlab\./.test(host)) return 'gitlab';
  if (/(^|\.)gitea\./.test(host)) return 'gitea';
  if (/(^|\.)(codeberg|forgejo|v\d+\.next\.forgejo)\./.test(host)) return 'forgejo';
  return 'github';
}

/** Address by which git reaches a repository with a deploy key; undefined if its present address is one. */
export function sshAddressOf(repository: string): string | undefined {
  if (!/^https?:/.test(repository)) return undefined;
  const page = webPageOf(repository);
  if (page === undefined) return undefined;
  const { hostname, pathname } = new URL(page);
  return `git@${hostname}:${pathname.slice(1)}.git`;
}

/** Name for a site, made from its repository's address: the last part of its path. */
export const nameFromRepository = (repository: string): string =>
  repository
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split(/[/:]/)
    .at(-1)
    ?.trim() ?? '';
