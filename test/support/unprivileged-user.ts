import { spawnSync } from 'node:child_process';
import { MAIN } from './process.ts';

/** Account without privileges for a process of the tests; empty if the tests run without them already. */
export interface UnprivilegedUser {
  uid?: number;
  gid?: number;
}

const NOBODY = 65534;

/** Returns undefined if that account can't reach node or the server, as in a checkout in root's home. */
export function unprivilegedUser(): UnprivilegedUser | undefined {
  if (process.getuid?.() !== 0) return {};
  const user = { uid: NOBODY, gid: NOBODY };
  const reached = spawnSync(process.execPath, ['--check', MAIN], { ...user, cwd: '/' });
  return reached.status === 0 ? user : undefined;
}
