import { isServed } from '../server/hosting/controller/records/gateways.ts';
import type { Database } from '../server/kernel/database/database.ts';

/** Reason why a running server forbids changes of its database now; undefined if nothing does. */
export async function runningServerProblem({ sql }: Pick<Database, 'sql'>): Promise<string | undefined> {
  return (await isServed(sql))
    ? 'A server runs on this database; stop every one of them, and try again 10 seconds later.'
    : undefined;
}
