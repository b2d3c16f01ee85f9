import { spawnSync } from 'node:child_process';
import { MAIN } from './process.ts';

/** Account without privileges under which tests start a process; empty if the tests themselves have no privileges. */
export interface UnprivilegedUser {
  uid?: number;
  gid?: number;
}

const NOBODY = 65534;

/**
 * Returns an account without privileges; undefined if the account can't reach node or the server, as in a checkout in
 * root's home.
 */
export function unprivilegedUser(): UnprivilegedUser | undefined {
  if (process.getuid?.() !== 0) return {};
  const user = { uid: NOBODY, gid: NOBODY };
  const reached = spawnSync(process.execPath, ['--check', MAIN], { ...user, cwd: '/' });
  return reached.status === 0 ? user : undefined;
}
