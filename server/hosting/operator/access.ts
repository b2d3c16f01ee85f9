import type { onRequestAsyncHookHandler } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { authenticateDeveloper, type DeveloperReader } from '../../identity/developers.ts';
import { isOperator } from '../../identity/operators.ts';
import type { Server } from '../../kernel/http/app.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { messages } from './messages.ts';

export interface OperatorParts {
  db: Kysely<unknown>;
  readDeveloper: DeveloperReader;
  /** Mail addresses of the operators, in lower case. */
  operators: readonly string[];
}

/**
 * Makes the onRequest hooks of routes for operators: users whose verified address is one of `OPERATORS`. All others get
 * a 403.
 */
export function operatorOnly(
  server: Server,
  { db, readDeveloper, operators }: OperatorParts,
): onRequestAsyncHookHandler[] {
  return [
    authenticateDeveloper(server, readDeveloper),
    async ({ developer }) => {
      const { rows } = await sql<{ email: string; verified: boolean }>`
        select email, verified from users where account_id = ${developer.accountId}`.execute(db);
      if (!rows[0] || !isOperator(operators, rows[0]))
        throw new Refusal(403, 'forbidden', messages.notAnOperator);
    },
  ];
}
