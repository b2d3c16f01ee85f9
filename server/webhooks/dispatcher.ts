import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../kernel/clock.ts';
import type { Listen } from '../kernel/database/channel.ts';
import { isUnavailable } from '../kernel/database/database.ts';
import { toParameter } from '../kernel/database/transaction.ts';
import { recordOutcome, waitForDatabase } from '../kernel/database/wait-for-database.ts';
import { coalesceRuns } from '../kernel/keyed-lock.ts';
import type { Logger } from '../kernel/log.ts';
import { inSpan, type SpanOptions, type Tracing } from '../kernel/tracing/tracing.ts';
import type { EndpointStore } from './endpoint-store.ts';
import { type Outcome, postJson } from './http-post.ts';
import {
  failDelivery,
  failWaiting,
  hasDueLane,
  type LeasedLane,
  leaseLane,
  type NextDelivery,
  readNext,
  recordTry,
  releaseLane,
  removeLane,
  renewLeases,
  type StoredEndpoint,
} from './lanes.ts';
import { nextTry } from './retry-times.ts';
import { signatureHeaders } from './signature.ts';

/** Intervals and waiting times of deliveries, in milliseconds. An operator can't set them: only tests change them. */
export interface WebhookTimes {
  /** Time after which another server takes over a lane whose server no longer renews its lease. */
  leaseMs: number;
  /** Longest time of one try, answer included. */
  timeoutMs: number;
}

const TIMES: WebhookTimes = { leaseMs: 10_000, timeoutMs: 15_000 };
/** Longest time at shutdown for giving back the lanes of tries that were cut off, in milliseconds. */
const GIVING_BACK_MS = 2_000;
/** Number of lanes that one server works on at the same time. */
const MOST_LANES = 16;
/** Number of deliveries after which a lane is given back, so that other lanes get a turn. */
const MOST_IN_A_ROW = 50;
/** Time without any success after which an endpoint is turned off, when a message to it is given up. */
const OFF_AFTER = { hours: 5 * 24 };

export interface DispatcherParts {
  db: Kysely<unknown>;
  endpoints: Pick<EndpointStore, 'secretsOf'>;
  clock: Clock;
  log: Logger;
  tracing: Tracing;
  /** Receives the notifications of new messages. */
  listen: Listen;
  allowPrivateHosts: boolean;
  times?: Partial<WebhookTimes> | undefined;
  /** Called after each try to deliver a message. */
  onTried(outcome: Outcome): void;
  /** Access of an account to an event now; undefined if it may not read the event. */
  readEvent(accountId: string, eventId: string): Promise<{ contacts: boolean } | undefined>;
  /** True if an account has access to an application now; also true if the application was deleted. */
  isReadableApplication(accountId: string, applicationId: string): Promise<boolean>;
  /** Notifies an endpoint's owner, in the same transaction, that the endpoint was turned off after days of failures. */
  onFailing(transaction: Kysely<unknown>, endpointId: string): Promise<void>;
}

/** Message in the form in which an endpoint receives it. */
export interface OutgoingMessage {
  id: string;
  kind: string;
  happenedAt: Date;
  data: object;
}

export type MessageData = Pick<NextDelivery, 'is_event' | 'data' | 'data_without_contacts'> & {
  subject_id: string;
};

/**
 * Sends messages to webhook endpoints. Every server does: each lane (an endpoint's messages about one event or
 * application) is leased by one of them, which sends its messages one after the other. A message is sent at least once:
 * if a server dies after sending it, the next one sends it again.
 */
export class WebhookDispatcher {
  readonly #parts: DispatcherParts;
  readonly #times: WebhookTimes;
  readonly #closing = new AbortController();
  /** Work on leased lanes, by their leases. */
  readonly #running = new Map<string, Promise<void>>();
  readonly #lookAgain: () => Promise<void>;
  #renewals: NodeJS.Timeout | undefined;
  #isTaking = false;
  #listening: Promise<(() => Promise<void>) | undefined> | undefined;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#times = { ...TIMES, ...parts.times };
    this.#lookAgain = coalesceRuns(() => this.#look());
  }

  /** Starts to send messages. New ones wake this server by notifications. */
  start(): void {
    this.#isTaking = true;
    this.#listening = this.#listen(() => this.wake());
    this.#renewals = setInterval(() => void this.#renew(), this.#times.leaseMs / 3);
    this.wake();
  }

  /** Looks for lanes that are due, such as those whose time for another try has come. */
  wake(): void {
    if (this.#isTaking) void this.#lookAgain();
  }

  /** Takes no further lanes, and waits up to `mostMs` milliseconds for the running tries; then cuts them off. */
  async close(mostMs: number): Promise<void> {
    this.#isTaking = false;
    const running = async () => {
      await this.#lookAgain();
      await Promise.all(this.#running.values());
    };
    await Promise.race([running(), sleep(mostMs, undefined, { ref: false })]);
    this.#closing.abort();
    // Tries that were cut off give their lanes back, if the database answers.
    await Promise.race([running(), sleep(GIVING_BACK_MS, undefined, { ref: false })]);
    clearInterval(this.#renewals);
    await (await this.#listening)?.();
  }

  /** Opens the channel of notifications, as soon as the database can be reached; returns what closes it. */
  async #listen(wake: () => void): Promise<(() => Promise<void>) | undefined> {
    const { listen, log } = this.#parts;
    const { signal } = this.#closing;
    try {
      const open = () => listen({ onMessage: wake, onGap: wake });
      return await waitForDatabase(open, { signal, onAway: () => {}, isAway: () => true });
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'new webhook messages are found only every few seconds');
      return undefined;
    }
  }

  /** Sends a message to an endpoint once, now. */
  async send(endpoint: StoredEndpoint, message: OutgoingMessage): Promise<Outcome> {
    const { endpoints, clock, tracing, allowPrivateHosts, onTried } = this.#parts;
    const { timeoutMs } = this.#times;
    const now = clock();
    const body = bodyOf(message);
    const headers = signatureHeaders({ id: message.id, at: now, body }, endpoints.secretsOf(endpoint, now));
    const settings = { allowPrivateHosts, timeoutMs };
    // The address stays out of the span, because it may contain a secret.
    const span: SpanOptions = {
      kind: 'client',
      attributes: {
        'simcha.webhook.id': endpoint.id,
        'simcha.message.id': message.id,
        'simcha.message.kind': message.kind,
      },
    };
    const outcome = await inSpan(tracing, 'webhook', span, async (span) => {
      const result = await postJson(endpoint.url, headers, body, settings, this.#closing.signal);
      if (result.status !== null) span.set({ 'http.response.status_code': result.status });
      if (result.problem) span.fail(result.problem);
      return result;
    });
    onTried(outcome);
    return outcome;
  }

  /** Data of a message as an account may see it now; undefined if the account may no longer read its subject. */
  async dataFor(
    accountId: string,
    { is_event, subject_id, data, data_without_contacts }: MessageData,
  ): Promise<object | undefined> {
    if (!is_event) {
      const isReadable = await this.#parts.isReadableApplication(accountId, subject_id);
      return isReadable ? data : undefined;
    }
    const reader = await this.#parts.readEvent(accountId, subject_id);
    return reader && (reader.contacts ? data : (data_without_contacts ?? data));
  }

  async #look(): Promise<void> {
    const { db, clock, log } = this.#parts;
    try {
      while (this.#isTaking && this.#running.size < MOST_LANES && (await this.#hasDueLane())) {
        const lane = await leaseLane(db, this.#times.leaseMs, clock());
        if (!lane) return;
        this.#running.set(lane.lease, this.#workOn(lane));
      }
    } catch (error) {
      if (!isUnavailable(error)) log.warn({ err: error }, 'webhook messages could not be looked for');
    }
  }

  async #hasDueLane(): Promise<boolean> {
    const { db, clock } = this.#parts;
    const { rows } = await sql<{ is_due: boolean }>`select ${hasDueLane(clock())} as is_due`.execute(db);
    return rows[0]?.is_due === true;
  }

  async #renew(): Promise<void> {
    if (this.#running.size === 0) return;
    const { db, log } = this.#parts;
    await renewLeases(db, [...this.#running.keys()], this.#times.leaseMs).catch((error) => {
      if (!isUnavailable(error)) log.warn({ err: error }, 'leases of webhook messages could not be renewed');
    });
  }

  async #workOn(lane: LeasedLane): Promise<void> {
    const { db, clock, log } = this.#parts;
    try {
      let isOpen = true;
      for (let sent = 0; isOpen && sent < MOST_IN_A_ROW && this.#isTaking; sent += 1) {
        isOpen = await this.#deliverNext(lane);
      }
      if (isOpen) await releaseLane(db, lane, clock());
    } catch (error) {
      // The lane's lease runs out, and its first delivery is tried again.
      if (!this.#closing.signal.aborted) log.warn({ err: error }, 'a webhook message could not be handled');
      else await releaseLane(db, lane, clock()).catch(() => {});
    } finally {
      this.#running.delete(lane.lease);
      this.wake();
    }
  }

  /** Delivers the first message of a lane. False once the lane is no longer this server's. */
  async #deliverNext(lane: LeasedLane): Promise<boolean> {
    const { db } = this.#parts;
    const next = await readNext(db, lane);
    if (!next) return false;
    if ('empty' in next) return !(await removeLane(db, lane, next.version));
    if (!next.enabled) {
      await failWaiting(db, lane.endpointId);
      return true;
    }
    const data = await this.dataFor(next.endpoint.account_id, { ...next, subject_id: lane.subjectId });
    if (!data) {
      await failDelivery(db, next.number, 'no_access');
      return true;
    }
    const { message_id: id, kind, happened_at: happenedAt } = next;
    const outcome = await this.send(next.endpoint, { id, kind, happenedAt, data });
    return outcome.problem === undefined
      ? this.#recordSuccess(lane, next, outcome)
      : this.#recordFailure(lane, next, outcome);
  }

  async #recordSuccess(lane: LeasedLane, next: NextDelivery, outcome: Outcome): Promise<boolean> {
    const { db, clock, log } = this.#parts;
    // A message whose success is not recorded would be sent again.
    await recordOutcome(() => recordTry(db, next.number, 'succeeded', outcome, clock()), {
      signal: this.#closing.signal,
      onAway: (error) => log.warn({ err: error }, 'the outcome of a webhook message can’t be stored yet'),
    });
    if (next.failing_since) {
      await sql`update webhook_endpoints set failing_since = null where id = ${lane.endpointId}`.execute(db);
    }
    return true;
  }

  /**
   * Records a failed try. The lane is given back until the next try, or goes on with the next message if there is none.
   * An endpoint that answered 410 is turned off, as is one without a success for days.
   */
  #recordFailure(lane: LeasedLane, next: NextDelivery, outcome: Outcome): Promise<boolean> {
    const { db, clock, onFailing } = this.#parts;
    const now = clock();
    const giveUpAt = Temporal.Instant.fromEpochMilliseconds(next.give_up_at.getTime());
    const isGone = outcome.status === 410;
    const again = isGone ? undefined : nextTry({ tries: next.tries + 1, giveUpAt }, now, Math.random());
    return db.transaction().execute(async (transaction) => {
      await recordTry(transaction, next.number, again ? 'waiting' : 'failed', outcome, now);
      await sql`
        update webhook_endpoints set failing_since = coalesce(failing_since, ${toParameter(now)}::timestamptz)
        where id = ${lane.endpointId}`.execute(transaction);
      if (again) {
        await releaseLane(transaction, lane, again);
        return false;
      }
      const isFailing = !isGone && isFailingForDays(next.failing_since, now);
      if (isGone || isFailing) await turnOff(transaction, lane.endpointId, isGone ? 'gone' : 'failing');
      if (isFailing) await onFailing(transaction, lane.endpointId);
      return true;
    });
  }
}

function isFailingForDays(since: Date | null, now: Temporal.Instant): boolean {
  return since !== null && since.getTime() <= now.subtract(OFF_AFTER).epochMilliseconds;
}

async function turnOff(
  transaction: Kysely<unknown>,
  endpointId: string,
  reason: 'gone' | 'failing',
): Promise<void> {
  await sql`
    update webhook_endpoints set enabled = false, disabled_reason = ${reason} where id = ${endpointId}`.execute(
    transaction,
  );
  await failWaiting(transaction, endpointId);
}

/** Body of a message, in the form that Standard Webhooks recommends. */
function bodyOf(message: OutgoingMessage): string {
  return JSON.stringify(payloadOf(message));
}

export function payloadOf({ kind, happenedAt, data }: Omit<OutgoingMessage, 'id'>) {
  return { type: kind, timestamp: happenedAt.toISOString(), data };
}
