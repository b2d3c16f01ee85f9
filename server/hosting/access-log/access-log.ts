import { createHash } from 'node:crypto';
import { messages } from '../logs/messages.ts';
import type { LineWriter } from '../logs/writer.ts';
import { accessLine, type LoggedRequest } from './line.ts';

/** Number of requests of one site in a second that the access log lists; further ones are only counted. */
const MOST_A_SECOND = 200;
const SECOND_MS = 1_000;

/** Requests of one site in the present second. */
interface Second {
  logId: string;
  logged: number;
  leftOut: number;
}

/** Access log of a gateway: lists the requests of each site in the log of that site's requests. */
export class AccessLog {
  readonly #writer: Pick<LineWriter, 'put'>;
  readonly #seconds = new Map<string, Second>();
  /** Timer of the present second; undefined if no site had a request in it. */
  #timer: NodeJS.Timeout | undefined;

  constructor(writer: Pick<LineWriter, 'put'>) {
    this.#writer = writer;
  }

  /** Adds a request to the log of its environment's site. `describe` is called only if the request is listed. */
  add(environmentId: string, describe: () => LoggedRequest): void {
    let second = this.#seconds.get(environmentId);
    if (!second) {
      second = { logId: accessLogOf(environmentId), logged: 0, leftOut: 0 };
      this.#seconds.set(environmentId, second);
      this.#timer ??= setTimeout(() => this.#endSecond(), SECOND_MS).unref();
    }
    if (second.logged >= MOST_A_SECOND) {
      second.leftOut += 1;
      return;
    }
    second.logged += 1;
    this.#writer.put(second.logId, new Date().toISOString(), [accessLine(describe())]);
  }

  close(): void {
    this.#endSecond();
  }

  #endSecond(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { logId, leftOut } of this.#seconds.values()) {
      if (leftOut > 0) this.#writer.put(logId, new Date().toISOString(), [messages.leftOut(leftOut)]);
    }
    this.#seconds.clear();
  }
}

/** Id of the log of an environment's requests. The database computes the same one when the environment is created. */
export function accessLogOf(environmentId: string): string {
  const hash = createHash('md5').update(`${environmentId} access`).digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
