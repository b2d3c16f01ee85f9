import { type RequestOptions, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { readOwnFileLimit } from '../../../kernel/open-files.ts';
import type { Quote } from '../../model/reasons/error-lines.ts';
import { RuntimeFailure } from '../../model/reasons/failure.ts';
import { type Reason, reason } from '../../model/reasons/reason.ts';
import { shortageOf } from '../../model/reasons/shortage.ts';

export interface HealthCheck {
  origin: string;
  path: string;
  /** Host name in the health check's request: some sites answer only to their own host name. */
  host: string;
  withinMs: number;
  /** Port that the site was told to listen on. */
  port?: number | undefined;
  /** Ports that the site listens on; undefined if they can't be seen. */
  listening?: () => Promise<readonly number[] | undefined>;
  /** True if the health check may throw ListensElsewhere, as soon as the site turns out to listen on another port. */
  findsOtherPort?: boolean;
  /** Resolves when the site has ended, with the reason why it ended. */
  ended: Promise<Reason>;
  /** Output of the site, which failure reasons quote. */
  quote?: Pick<Quote, 'params' | 'latest'>;
  /** Number of files that this server may have open. */
  filesLimit?: () => number | undefined;
  signal: AbortSignal;
}

/** Thrown if a site listens on another port than the one it was told to. */
export class ListensElsewhere extends Error {
  readonly port: number;

  constructor(port: number) {
    super(`listens on port ${port}`);
    this.port = port;
  }
}

/**
 * A site must have listened on another port, and not on the port it was told, for this time before the other port is
 * used.
 */
const ELSEWHERE_MS = 1_500;
/** Pause between two lookups of the site's ports, which take longer than a request. */
const PORTS_PERIOD_MS = 500;
/** Port of node's own debugger, which is never the site's. */
const DEBUGGER_PORT = 9229;

/**
 * Pause between two requests of a health check as a share of the time since the start, so that the pauses never make a
 * start much longer.
 */
const PAUSE_SHARE = 0.1;
const SHORTEST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 100;
const ONE_ANSWER_MS = 5_000;
/**
 * Minimum number of open files that pasta needs, the program that forwards connections to sandboxes: with fewer, pasta
 * can't pass connections on.
 */
const LEAST_FILES = 512;

/**
 * Resolves once the site answers with a status below 500. Throws a RuntimeFailure if the site ends before that or
 * answers too late, and ListensElsewhere if `findsOtherPort` asks for it.
 */
export async function waitUntilHealthy(check: HealthCheck): Promise<void> {
  const over = new AbortController();
  const signal = AbortSignal.any([check.signal, over.signal]);
  const ended = check.ended.then((how) => {
    throw new RuntimeFailure(reason('ended_before_healthy', { how, ...check.quote?.params() }));
  });
  try {
    await Promise.race([ended, askUntilHealthy(check, signal)]);
  } finally {
    over.abort();
    ended.catch(() => {});
  }
}

/** True if a running site answers at all, even with an error. */
export async function isAnswering(
  { origin, path, host }: Pick<HealthCheck, 'origin' | 'path' | 'host'>,
  withinMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  return typeof (await ask(requestTo(origin, path, host), withinMs, signal)) === 'number';
}

/** The origin and the path are not joined to one URL: a URL parser would read some paths as another host. */
function requestTo(origin: string, path: string, host: string): RequestOptions {
  const { hostname, port } = new URL(origin);
  return { host: hostname, port, path, headers: { host } };
}

async function askUntilHealthy(check: HealthCheck, signal: AbortSignal): Promise<void> {
  const { origin, path, host, withinMs } = check;
  const deadline = performance.now() + withinMs;
  const leftMs = () => deadline - performance.now();
  const options = requestTo(origin, path, host);
  const otherPort = new OtherPortSearch(check);
  let last: Reason | undefined;
  while (leftMs() > 0) {
    const answerMs = Math.max(1, Math.ceil(Math.min(ONE_ANSWER_MS, leftMs())));
    const answer = await ask(options, answerMs, signal);
    signal.throwIfAborted();
    if (typeof answer === 'number' && answer < 500) return;
    if (check.findsOtherPort && typeof answer !== 'number') await otherPort.look();
    // The last request before the time limit may have had next to no time, so an earlier failure is reported instead of
    // its own.
    if (last && typeof answer === 'object' && answer.code === 'no_answer_in_time') continue;
    last = typeof answer === 'number' ? reason('last_status', { status: answer }) : answer;
    const pauseMs = Math.max(SHORTEST_PAUSE_MS, (withinMs - leftMs()) * PAUSE_SHARE);
    const waitMs = Math.min(LONGEST_PAUSE_MS, pauseMs, Math.max(0, leftMs()));
    await sleep(waitMs, undefined, { signal });
  }
  throw new RuntimeFailure(await whyUnhealthy(check, last));
}

/** Reason why a site has not become healthy in time. `last`: why the last request failed. */
async function whyUnhealthy(check: HealthCheck, last: Reason | undefined): Promise<Reason> {
  const { said } = check.quote?.latest() ?? {};
  const seconds = Math.round(check.withinMs / 1_000);
  const params = { path: check.path, seconds, ...(said !== undefined && { said }) };
  if (last && isOutOfFiles(last, check)) return reason('no_files');
  const unreachable = await whyUnreachable(check, params);
  if (unreachable) return unreachable;
  return last ? reason('not_healthy_at_last', { ...params, last }) : reason('not_healthy', params);
}

/**
 * True if the server's limit of open files explains why a site did not answer. The program that forwards connections to
 * the site has the same limit: with too few files it accepts connections but passes none on.
 */
function isOutOfFiles({ code }: Reason, { filesLimit = readOwnFileLimit }: HealthCheck): boolean {
  if (code === 'no_files') return true;
  const isUnheard = ['no_answer', 'no_answer_in_time', 'connection_closed'].includes(code);
  return isUnheard && (filesLimit() ?? LEAST_FILES) < LEAST_FILES;
}

/**
 * Reason why requests can't have reached a site: it does not listen on the port that it was told. In a sandbox, the
 * program that forwards the port accepts connections all the same, and closes them.
 */
async function whyUnreachable(
  { port, listening }: HealthCheck,
  { seconds, said }: { seconds: number; said?: string },
): Promise<Reason | undefined> {
  const ports = await listening?.();
  if (!ports || port === undefined || ports.includes(port)) return undefined;
  return ports.length === 0
    ? reason('not_listening', { port, seconds, ...(said !== undefined && { said }) })
    : reason('listens_elsewhere', { port, seconds, ports: ports.join(', ') });
}

/** Finds out that a site listens on another port than the one it was told, and stays there. */
class OtherPortSearch {
  readonly #check: Pick<HealthCheck, 'port' | 'listening'>;
  #found: { port: number; since: number } | undefined;
  #nextLook = performance.now() + PORTS_PERIOD_MS;

  constructor(check: Pick<HealthCheck, 'port' | 'listening'>) {
    this.#check = check;
  }

  /** Looks up the site's ports if the last lookup is long enough ago. Throws ListensElsewhere. */
  async look(): Promise<void> {
    if (performance.now() < this.#nextLook) return;
    this.#nextLook = performance.now() + PORTS_PERIOD_MS;
    const port = await this.#otherPort();
    if (port !== this.#found?.port)
      this.#found = port === undefined ? undefined : { port, since: performance.now() };
    if (this.#found && performance.now() - this.#found.since >= ELSEWHERE_MS)
      throw new ListensElsewhere(this.#found.port);
  }

  /** Lowest of the site's ports; undefined if the site listens on the port that it was told. */
  async #otherPort(): Promise<number | undefined> {
    const { port, listening } = this.#check;
    const ports = (await listening?.()) ?? [];
    if (port === undefined || ports.includes(port)) return undefined;
    return ports.filter((one) => one !== DEBUGGER_PORT).sort((a, b) => a - b)[0];
  }
}

/**
 * Asks a site and returns the status of its answer, or the reason why there is none. The time limit is for the whole
 * head of the answer, so neither `102 Processing` nor slow headers extend it. The body is ignored.
 */
function ask(options: RequestOptions, withinMs: number, signal: AbortSignal): Promise<number | Reason> {
  const late = AbortSignal.timeout(withinMs);
  return new Promise((resolve) => {
    const asked = request({ ...options, agent: false, signal: AbortSignal.any([signal, late]) });
    asked.on('response', (response) => {
      resolve(response.statusCode ?? 0);
      asked.destroy();
    });
    asked.on('error', (error: NodeJS.ErrnoException) =>
      resolve(
        late.aborted
          ? reason('no_answer_in_time')
          : (shortageOf(error) ?? reason('no_answer', { error: error.code ?? error.message })),
      ),
    );
    // If a site switches protocols, the health check's request gets neither a response nor an error.
    asked.on('close', () => resolve(reason('connection_closed')));
    asked.end();
  });
}
