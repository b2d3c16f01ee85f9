import type { GitHost } from '../../lib/git-hosts.ts';
import type { Say } from '../../lib/words.ts';
import type { words } from './words.ts';

type Saying = Say<typeof words>;

interface KeyMenus {
  menu: string;
  button: string;
  field: string;
  writing: string;
  save: string;
}

interface HookMenus {
  menu: string;
  button: string;
  url: string;
  type?: readonly [field: string, value: string];
  secret: string;
  events: string;
  more: string;
  save: string;
}

/** Names on the pages of each host, in English as on the pages themselves. */
const KEYS: Readonly<Record<GitHost, KeyMenus>> = {
  github: {
    menu: 'Settings → Deploy keys',
    button: 'Add deploy key',
    field: 'Key',
    writing: 'Allow write access',
    save: 'Add key',
  },
  gitlab: {
    menu: 'Settings → Repository → Deploy keys',
    button: 'Add new key',
    field: 'Key',
    writing: 'Grant write permissions to this key',
    save: 'Add key',
  },
  gitea: {
    menu: 'Settings → Deploy Keys',
    button: 'Add Deploy Key',
    field: 'Content',
    writing: 'Enable Write Access',
    save: 'Add Deploy Key',
  },
  forgejo: {
    menu: 'Settings → Deploy keys',
    button: 'Add deploy key',
    field: 'Content',
    writing: 'Enable write access',
    save: 'Add deploy key',
  },
};

const HOOKS: Readonly<Record<GitHost, HookMenus>> = {
  github: {
    menu: 'Settings → Webhooks',
    button: 'Add webhook',
    url: 'Payload URL',
    type: ['Content type', 'application/json'],
    secret: 'Secret',
    events: 'Just the push event',
    more: 'Let me select individual events → Pull requests',
    save: 'Add webhook',
  },
  gitlab: {
    menu: 'Settings → Webhooks',
    button: 'Add new webhook',
    url: 'URL',
    secret: 'Secret token',
    events: 'Push events',
    more: 'Merge request events',
    save: 'Add webhook',
  },
  gitea: {
    menu: 'Settings → Webhooks',
    button: 'Add Webhook → Gitea',
    url: 'Target URL',
    type: ['POST Content Type', 'application/json'],
    secret: 'Secret',
    events: 'Push Events',
    more: 'Custom Events → Pull Request',
    save: 'Add Webhook',
  },
  forgejo: {
    menu: 'Settings → Webhooks',
    button: 'Add webhook → Forgejo',
    url: 'Target URL',
    type: ['POST content type', 'application/json'],
    secret: 'Secret',
    events: 'Push events',
    more: 'Custom events → Pull request',
    save: 'Add webhook',
  },
};

/** Steps that add a deploy key to a repository. */
export function keySteps(host: GitHost, say: Saying): string[] {
  const { menu, button, field, writing, save } = KEYS[host];
  return [
    `${say('openMenu', { menu })} ${say('press', { button })}`,
    say('pasteKey', { field }),
    `${say('noWrite', { field: writing })} ${say('press', { button: save })}`,
  ];
}

/** Steps that add a push hook to a repository. */
export function hookSteps(host: GitHost, say: Saying): string[] {
  const { menu, button, url, type, secret, events, more, save } = HOOKS[host];
  return [
    `${say('openMenu', { menu })} ${say('press', { button })}`,
    say('pasteUrl', { field: url }),
    ...(type ? [say('setType', { field: type[0], value: type[1] })] : []),
    say('pasteSecret', { field: secret }),
    `${say('events', { events, more })} ${say('press', { button: save })}`,
  ];
}
