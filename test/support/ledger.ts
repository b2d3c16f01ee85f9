import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Client } from './client.ts';

const WRITERS = 8;
/** Pause of a writer after the server refused its write, so that writers do not keep a processor busy. */
const AFTER_REFUSAL_MS = 20;

/**
 * Record of the events that the writers of a test created and changed, as far as the server acknowledged it. If the
 * server gave a writer an unexpected response, all functions except `check` throw the error.
 */
export interface Ledger {
  /** Number of events whose creation the server has acknowledged. */
  acknowledged(): number;
  /** Number of writes that the server refused. Each refused write may nevertheless have been stored. */
  refused(): number;
  /** Stops the writers and waits for the writes that are under way. */
  stop(): Promise<void>;
  /** Checks that all writes that the server acknowledged are stored. */
  check(call?: Client): Promise<void>;
}

/**
 * Creates and changes events as fast as the server accepts them, and records the changes that the server acknowledged.
 */
export function keepLedger(call: Client, refusals: readonly number[] = [503]): Ledger {
  /** Titles that events must have, by the event's id. */
  const titles = new Map<string, string>();
  /** Events that may have the old or the new title, because the server refused the change but may have stored it. */
  const uncertain = new Set<string>();
  let refused = 0;
  let stopped = false;

  /**
   * Waits for the server's response to a request that creates or changes an event; returns undefined if the server
   * refused it.
   */
  const written = async (asked: Promise<Answer>, expected: number): Promise<Answer | undefined> => {
    const answer = await asked;
    if (!refusals.includes(answer.status)) {
      assert.equal(answer.status, expected, answer.text);
      return answer;
    }
    refused += 1;
    await sleep(AFTER_REFUSAL_MS);
    return undefined;
  };
  const write = async (writer: number): Promise<void> => {
    for (let turn = 0; !stopped; turn += 1) {
      const title = `${writer}.${turn}`;
      const body = { title, event_date: '2099-06-15T19:30', venue_name: 'עדן' };
      const created = await written(call('POST', '/api/events', { body }), 201);
      if (!created) continue;
      const { id } = created.body.event;
      titles.set(id, title);
      const changed = await written(call('PUT', `/api/events/${id}`, { body: { title: `${title}!` } }), 200);
      if (changed) titles.set(id, `${title}!`);
      else uncertain.add(id);
    }
  };
  const writers = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  let failure: unknown;
  writers.catch((error) => {
    failure = error;
  });
  const unlessFailed = (count: number): number => {
    if (failure) throw failure;
    return count;
  };

  return {
    acknowledged: () => unlessFailed(titles.size),
    refused: () => unlessFailed(refused),
    async stop() {
      stopped = true;
      await writers;
    },
    async check(again = call) {
      for (const [id, title] of titles) {
        const { status, body } = await again('GET', `/api/events/${id}`);
        assert.equal(status, 200, `event ${id}, which was acknowledged`);
        if (!uncertain.has(id)) assert.equal(body.event.title, title);
      }
    },
  };
}
