import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from '../../kernel/http/app.ts';
import { abortedOnClose, createCallerQueue, freePlace } from '../../kernel/http/fair-share.ts';
import { CommonRefusal } from '../../kernel/refusal.ts';
import type { DeploymentRow } from '../model/deployment-rows.ts';
import { isFinal } from '../model/lifecycle.ts';
import type { DeploymentStore } from './store.ts';

/** Maximum number of requests of one developer that wait at once on one server. */
const MOST_OF_ONE = 20;
const LOOK_MS = 300;

/** Requests that are answered when a deployment has ended. */
export class DeploymentWaits {
  readonly #store: Pick<DeploymentStore, 'find'>;
  readonly #places = createCallerQueue({ most: MOST_OF_ONE, mostWaiting: 0, longestWaitMs: 0 });
  readonly #closing = new AbortController();

  constructor(server: Pick<Server, 'app'>, store: Pick<DeploymentStore, 'find'>) {
    this.#store = store;
    server.app.addHook('preClose', async () => this.#closing.abort());
  }

  /**
   * Waits until the deployment has ended, at most for so many seconds, and returns its row; undefined if it was deleted
   * meanwhile. Throws a 429 if too many requests of the developer wait.
   */
  async untilEnded(
    request: FastifyRequest,
    reply: FastifyReply,
    row: DeploymentRow,
    seconds: number,
  ): Promise<DeploymentRow | undefined> {
    const leave = this.#places.take(request.developer.accountId);
    if (!leave) throw new CommonRefusal(429, 'too_many_requests');
    freePlace(request);
    const signal = AbortSignal.any([abortedOnClose(reply), this.#closing.signal]);
    const deadline = performance.now() + seconds * 1_000;
    let newest: DeploymentRow | undefined = row;
    try {
      while (newest && !isFinal(newest.status) && performance.now() < deadline && !signal.aborted) {
        await sleep(LOOK_MS, undefined, { signal }).catch(() => {});
        newest = await this.#store.find(row.application_uuid, row.deployment_uuid);
      }
      return newest;
    } finally {
      leave();
    }
  }
}
