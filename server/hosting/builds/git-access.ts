import { writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { readHead } from '../sandbox/folders.ts';

/** A repository whose address has been checked. */
export interface CheckedRepository {
  protocol: 'https' | 'ssh' | 'http' | 'git' | 'file';
  host: string;
  port: number | undefined;
  /** For git, without what is secret. */
  address: string;
  /** null: the repository's own default. */
  branch: string | null;
  /** The IP address its host was found to have: git connects to this one and asks no name server again. */
  pinned: string | undefined;
  /** `user:password` or `token`, percent-encoded. */
  credentials: string | undefined;
  /** An OpenSSH private key, for a private repository. */
  privateKey: string | undefined;
}

/** What an application's access stands on in the file system. */
export interface AccessFiles {
  /** PEM certificates that https is checked by; undefined: the system's. */
  caFile: string | undefined;
  /** The host keys this application has met, in ssh's own form. */
  hostKeys: string;
  /** A folder for keys while git runs, and where git finds it. */
  scratch: string;
  seen: string;
}

export interface Access {
  address: string;
  settings: string[];
  env: Record<string, string>;
  /** The host keys that are met by now, as far as git left them readable; not there where git does without. */
  hostKeys?: () => Promise<string | undefined>;
}

/** What git needs to connect to the checked address alone, and with the application's own secrets alone. */
export async function openAccess(repository: CheckedRepository, files: AccessFiles): Promise<Access> {
  const { protocol, host, port, address, pinned } = repository;
  const nothing = { address, settings: [], env: {} };
  switch (protocol) {
    case 'file':
      return nothing;
    case 'git':
      return pinned
        ? { ...nothing, address: address.replace(`//${bracketed(host)}`, `//${bracketed(pinned)}`) }
        : nothing;
    case 'http':
    case 'https': {
      const place = `${host}:${port ?? (protocol === 'https' ? 443 : 80)}`;
      return {
        ...nothing,
        settings: [
          // An address needs no pin, and curl can't read one of IPv6 here.
          ...(pinned && !isIP(host) ? ['-c', `http.curloptResolve=${place}:${bracketed(pinned)}`] : []),
          ...(files.caFile ? ['-c', `http.sslCAInfo=${files.caFile}`] : []),
        ],
        env: repository.credentials ? authorization(repository.credentials) : {},
      };
    }
    case 'ssh':
      return openSsh(repository, files);
  }
}

/** In the environment, not among the arguments, which everybody on the machine can list. */
function authorization(credentials: string): Record<string, string> {
  const [user = '', password = ''] = credentials.split(':', 2).map(decodeURIComponent);
  const basic = Buffer.from(`${user}:${password}`).toString('base64');
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'http.extraHeader',
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${basic}`,
  };
}

/**
 * The key of a host is trusted when the application first meets it, and kept; from then on another one is refused,
 * before anything is sent. Each application has its own memory, so that none can be made to distrust another's host.
 */
async function openSsh(
  { address, host, port, pinned, privateKey }: CheckedRepository,
  { hostKeys, scratch, seen }: AccessFiles,
): Promise<Access> {
  if (privateKey) await writeFile(join(scratch, 'key'), `${privateKey.trimEnd()}\n`, { mode: 0o600 });
  await writeFile(join(scratch, 'known_hosts'), hostKeys, { mode: 0o600 });
  await writeFile(
    join(scratch, 'config'),
    [
      'Host *',
      // The port too: another one of the same host may be another server, with another key.
      ...(pinned ? [`HostName ${pinned}`, `HostKeyAlias ${port ? `[${host}]:${port}` : host}`] : []),
      `IdentityFile ${privateKey ? quoted(join(seen, 'key')) : 'none'}`,
      'IdentitiesOnly yes',
      'IdentityAgent none',
      'BatchMode yes',
      'StrictHostKeyChecking accept-new',
      `UserKnownHostsFile ${quoted(join(seen, 'known_hosts'))}`,
      'GlobalKnownHostsFile none',
      'PreferredAuthentications publickey',
      'CheckHostIP no',
      'ConnectTimeout 20',
      'ServerAliveInterval 15',
      '',
    ].join('\n'),
  );
  return {
    address,
    settings: [],
    // git hands this to a shell; so it is the same for every repository, and what differs stands in the file.
    env: {
      GIT_SSH_COMMAND: 'ssh -F "$SIMCHA_SSH_CONFIG"',
      GIT_SSH_VARIANT: 'ssh',
      SIMCHA_SSH_CONFIG: join(seen, 'config'),
    },
    hostKeys: () => readHead(join(scratch, 'known_hosts')),
  };
}

/** For ssh's configuration, which expands `%h` and its like in paths. */
function quoted(path: string): string {
  return `"${path.replaceAll('%', '%%')}"`;
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
