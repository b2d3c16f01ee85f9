import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Variables } from '../model/variables.ts';
import type { Isolation } from '../sandbox/confined.ts';

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
/** Variables that name the machine's certificates to programs that would use only their own: npm, uv, Poetry. */
const OF_CERTIFICATES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE'];
/** Folder of Rust's installer, if it is installed for all users of this machine. */
const RUSTUP = '/usr/local/rustup';

/**
 * Variables that configure package managers. No files are written, because a build may have put a link or a pipe in
 * their place. Many machines have their own certificates, which some programs use only if a variable names them.
 */
export function packageSettings({ inside }: Pick<Isolation, 'inside'>): Variables {
  return {
    npm_config_globalconfig: join(inside, 'npmrc'),
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_PROGRESS_BAR: 'off',
    ...(existsSync(RUSTUP) && { RUSTUP_HOME: RUSTUP }),
    ...(existsSync(CERTIFICATES) && Object.fromEntries(OF_CERTIFICATES.map((name) => [name, CERTIFICATES]))),
  };
}
