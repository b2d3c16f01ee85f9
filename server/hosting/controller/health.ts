import { type RequestOptions, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { readOwnFileLimit } from '../../kernel/open-files.ts';
import type { Quote } from '../model/reasons/error-lines.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import { shortageOf } from '../model/reasons/shortage.ts';

export interface HealthCheck {
  origin: string;
  path: string;
  /** What the site is asked as: some answer only to their own name. */
  host: string;
  withinMs: number;
  /** Where the site was told to listen, and where it listens as far as that can be seen. */
  port?: number | undefined;
  listening?: () => Promise<readonly number[] | undefined>;
  /** Whether one that listens elsewhere is to be told of at once. */
  isToFind?: boolean;
  /** Resolves, with how, when the site has ended. */
  ended: Promise<Reason>;
  /** The site's output, for the reason. */
  quote?: Pick<Quote, 'params' | 'latest'>;
  /** How many files this server may have open. */
  filesLimit?: () => number | undefined;
  signal: AbortSignal;
}

/** So long it has listened elsewhere, and nowhere else, before that is taken for its way. */
const ELSEWHERE_MS = 1_500;
/** Between two looks at where it listens, which take longer than a question. */
const LOOK_MS = 500;
/** Of node's own debugger: nobody's site. */
const DEBUGGER = 9229;

/** A site listens on another port than it was told. */
export class ListensElsewhere extends Error {
  readonly port: number;

  constructor(port: number) {
    super(`listens on port ${port}`);
    this.port = port;
  }
}

/** Between two questions: a tenth of the time that it has had, so that no start is much longer for it. */
const WAIT_SHARE = 0.1;
const SHORTEST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 100;
const ONE_ANSWER_MS = 5_000;
/** pasta needs some hundred. */
const LEAST_FILES = 512;

/**
 * Resolves once the site answers with a status under 500. Throws a RuntimeFailure when it ends before, or is late, and
 * ListensElsewhere where that is asked for.
 */
export async function waitUntilHealthy(check: HealthCheck): Promise<void> {
  const over = new AbortController();
  const signal = AbortSignal.any([check.signal, over.signal]);
  const ended = check.ended.then((how) => {
    throw new RuntimeFailure(reason('ended_before_healthy', { how, ...check.quote?.params() }));
  });
  try {
    await Promise.race([ended, ask(check, signal)]);
  } finally {
    over.abort();
    ended.catch(() => {});
  }
}

/** Whether a site that runs answers at all, be it that something is wrong. */
export async function isAnswering(
  { origin, path, host }: Pick<HealthCheck, 'origin' | 'path' | 'host'>,
  withinMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  return typeof (await answer(questionOf(origin, path, host), withinMs, signal)) === 'number';
}

/** Not as one URL: to its parser some paths are the beginning of another host. */
function questionOf(origin: string, path: string, host: string): RequestOptions {
  const { hostname, port } = new URL(origin);
  return { host: hostname, port, path, headers: { host } };
}

async function ask(check: HealthCheck, signal: AbortSignal): Promise<void> {
  const { origin, path, host, withinMs } = check;
  const deadline = performance.now() + withinMs;
  const left = () => deadline - performance.now();
  const question = questionOf(origin, path, host);
  let last: Reason | undefined;
  let since: { port: number; at: number } | undefined;
  let nextLook = performance.now() + LOOK_MS;
  while (left() > 0) {
    const withinOne = Math.max(1, Math.ceil(Math.min(ONE_ANSWER_MS, left())));
    const verdict = await answer(question, withinOne, signal);
    signal.throwIfAborted();
    if (typeof verdict === 'number' && verdict < 500) return;
    if (check.isToFind && typeof verdict !== 'number' && performance.now() >= nextLook) {
      nextLook = performance.now() + LOOK_MS;
      const port = await elsewhere(check);
      if (port !== since?.port) since = port === undefined ? undefined : { port, at: performance.now() };
      if (since && performance.now() - since.at >= ELSEWHERE_MS) throw new ListensElsewhere(since.port);
    }
    // The last question may have been given next to no time.
    if (last && typeof verdict === 'object' && verdict.code === 'no_answer_in_time') continue;
    last = typeof verdict === 'number' ? reason('last_status', { status: verdict }) : verdict;
    const wait = Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, (withinMs - left()) * WAIT_SHARE));
    await sleep(Math.min(wait, Math.max(0, left())), undefined, { signal });
  }
  const { said } = check.quote?.latest() ?? {};
  const asked = { path, seconds: Math.round(withinMs / 1_000), ...(said !== undefined && { said }) };
  if (last && isForWantOfFiles(last, check)) throw new RuntimeFailure(reason('no_files'));
  throw new RuntimeFailure(
    (await unheard(check, asked)) ??
      (last ? reason('not_healthy_at_last', { ...asked, last }) : reason('not_healthy', asked)),
  );
}

/** What leads to a site's port has as many files as the server: with too few it takes connections, and passes none on. */
function isForWantOfFiles({ code }: Reason, { filesLimit = readOwnFileLimit }: HealthCheck): boolean {
  if (code === 'no_files') return true;
  const isUnheard = ['no_answer', 'no_answer_in_time', 'connection_closed'].includes(code);
  return isUnheard && (filesLimit() ?? LEAST_FILES) < LEAST_FILES;
}

/** Where it listens, if not where it was told: on the lowest of its ports. */
async function elsewhere({ port, listening }: HealthCheck): Promise<number | undefined> {
  const ports = (await listening?.()) ?? [];
  if (port === undefined || ports.includes(port)) return undefined;
  return ports.filter((one) => one !== DEBUGGER).sort((a, b) => a - b)[0];
}

/** Why nothing can have reached it: whatever leads to the port of a sandbox takes a connection and breaks it off. */
async function unheard(
  { port, listening }: HealthCheck,
  { seconds, said }: { seconds: number; said?: string },
): Promise<Reason | undefined> {
  const ports = await listening?.();
  if (!ports || port === undefined || ports.includes(port)) return undefined;
  return ports.length === 0
    ? reason('not_listening', { port, seconds, ...(said !== undefined && { said }) })
    : reason('listens_elsewhere', { port, seconds, ports: ports.join(', ') });
}

/**
 * The status, or why there is none. The time is that of the whole answer's head: no `102 Processing` and no byte of a
 * header buys more of it. The body is nobody's business.
 */
function answer(question: RequestOptions, withinMs: number, signal: AbortSignal): Promise<number | Reason> {
  const late = AbortSignal.timeout(withinMs);
  return new Promise((resolve) => {
    const asked = request({ ...question, agent: false, signal: AbortSignal.any([signal, late]) });
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
    // One that switches protocols gets no response and makes no error.
    asked.on('close', () => resolve(reason('connection_closed')));
    asked.end();
  });
}
