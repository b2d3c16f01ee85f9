import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { type Developer, keyOwnerOf } from '../../identity/developers.ts';
import type { Clock } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/database/transaction.ts';
import { addressOf } from '../../kernel/http/client-address.ts';
import type { FieldChanges } from '../../kernel/writes/history.ts';
import type { Done, TransactOnce } from '../../kernel/writes/idempotency.ts';
import { type Actor, type ChangeFacts, recordChange, SECRET } from '../model/history.ts';

export interface ChangeParts {
  transactOnce: TransactOnce;
  clock: Clock;
}

/** Answer to a request that changed an application, with what its line of history says. */
export type Changed<T> = Done<T> & { history: ChangeFacts };

/**
 * Makes a change of the request's application: the change and its line of history are one transaction. All routes that
 * change an application use this function, or `recordRequest` in a transaction of their own.
 */
export function makeChange<T>(
  { transactOnce, clock }: ChangeParts,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (transaction: Kysely<unknown>) => Promise<Changed<T>>,
): Promise<T> {
  return transactOnce(request, reply, keyOwnerOf(request.developer), (through) =>
    inTransaction(through, async (transaction) => {
      const { history, ...done } = await work(transaction);
      await recordRequest(transaction, request, history, clock());
      return done;
    }),
  );
}

/** Adds the line about a request to the history of the request's application, in the transaction of its change. */
export function recordRequest(
  transaction: Kysely<unknown>,
  request: FastifyRequest,
  facts: ChangeFacts,
  now: Temporal.Instant,
): Promise<void> {
  const { application_uuid: applicationId, preview } = request.application;
  return recordAbout(transaction, request, { applicationId, preview, ...facts }, now);
}

/** Adds the line about a request of a user to the history of an application that the request's URL does not name. */
export function recordAbout(
  transaction: Kysely<unknown>,
  request: FastifyRequest,
  {
    applicationId,
    preview = null,
    ...facts
  }: ChangeFacts & { applicationId: string; preview?: string | null },
  now: Temporal.Instant,
): Promise<void> {
  const { operationId: operation = '' } = request.routeOptions.schema ?? {};
  const by = actorOf(request, request.developer);
  return recordChange(transaction, { applicationId, preview, operation, by, ...facts }, now);
}

function actorOf(request: FastifyRequest, { accountId, grant }: Developer): Actor {
  return { kind: 'user', accountId, token: grant?.name ?? null, address: addressOf(request) };
}

/**
 * Changes of variables as the history shows them: whether they were set (`names`) and are set, without their values.
 * A deleted one is null in `changes`.
 */
export function variableChanges(
  names: readonly string[],
  changes: Readonly<Record<string, unknown>>,
): FieldChanges {
  const shown = (isSet: boolean) => (isSet ? SECRET : null);
  return Object.fromEntries(
    Object.entries(changes)
      .filter(([name, value]) => value !== null || names.includes(name))
      .map(([name, value]) => [name, { from: shown(names.includes(name)), to: shown(value !== null) }]),
  );
}

/** Fields of something new, as changes. */
export function newFields(fields: Readonly<Record<string, unknown>>): FieldChanges {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, to]) => to !== null && to !== undefined)
      .map(([name, to]) => [name, { from: null, to }]),
  );
}
