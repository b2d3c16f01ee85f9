import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '../errors.ts';
import { ignoreMissing } from '../missing.ts';

// Defects of Podman's service, and differences from Docker's, seen with the oldest supported version: 4.3, that of
// Debian 12. Where no version is named, none is known in which the defect has ended.

const RETRY_MS = 250;
const MOST_ATTEMPTS = 10;
const LONGEST_POLL_MS = 5_000;

/** Part of a container's details that the functions in this file read. */
interface WithState {
  State: { Status: string; Running: boolean; ExitCode: number };
}

/** Corrects the state of a container: Podman reports a container that was told to end as not running. */
export function correctStoppingState<T extends WithState>(found: T | undefined): T | undefined {
  if (found?.State.Status === 'stopping') found.State.Running = true;
  return found;
}

/** Pattern for the engine's error about a container that has ended, but whose end is not recorded yet. */
const PROCESS_GONE = /\/proc\/\d+\/cgroup: no such/;

/**
 * Repeats inspecting a container: Podman fails at it between the end of the container's process and the record of that
 * end.
 */
export async function retryUntilEndIsRecorded<T>(look: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await look();
    } catch (error) {
      const isEnding = error instanceof EngineError && PROCESS_GONE.test(error.message);
      if (!isEnding || turn === MOST_ATTEMPTS) throw error;
      await sleep(RETRY_MS, undefined, { signal });
    }
  }
}

/**
 * Waits for a container's end by inspecting the container repeatedly, and returns the container's exit code. Podman's
 * own `wait` uses a whole processor (https://github.com/containers/podman/issues/18150, ended in 2023 by pull request
 * 18149, after version 4.5). Podman's stream of events may end without notice, because Podman begins a new file of
 * events after each megabyte.
 */
export async function pollForEnd(
  inspect: (id: string, signal: AbortSignal) => Promise<WithState | undefined>,
  id: string,
  signal: AbortSignal,
): Promise<number> {
  for (let pauseMs = RETRY_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_POLL_MS)) {
    const found = await inspect(id, signal);
    if (!found) throw new EngineError(404, `no such container: ${id}`);
    if (!found.State.Running) return found.State.ExitCode;
    await sleep(pauseMs, undefined, { signal });
  }
}

/** Exit code of a build's failed command, or 0: Podman reports it only within the message. */
export function exitCodeInMessage(message: string): number {
  return Number(/while running runtime: exit status (\d+)/.exec(message)?.[1] ?? 0);
}

/**
 * Labels to send with a query for images: Podman finds nothing by two labels at once
 * (https://github.com/containers/podman/issues/18092), so callers compare the other labels themselves.
 */
export function firstLabel(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).slice(0, 1));
}

/** Time that a container's last output may take to arrive after it has ended. */
const LAST_LINES_MS = 1_000;

/**
 * Signal that ends the reading of a container's log a moment after the container has ended: Podman keeps listening to
 * some that have ended. `stop` ends the wait earlier.
 */
export function signalAfterEnd(
  wait: (signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
): { until: AbortSignal; hasEnded: () => boolean; stop: () => void } {
  const enough = new AbortController();
  const until = AbortSignal.any([signal, enough.signal]);
  ignoreMissing(wait(until))
    .then(() => sleep(LAST_LINES_MS, undefined, { signal: until }))
    .then(
      () => enough.abort(),
      () => {},
    );
  return { until, hasEnded: () => enough.signal.aborted, stop: () => enough.abort() };
}

/** Id of an engine that stays the same: Podman reports another id each time, so its name is used. */
export function stableId({ ID, Name }: { ID: string; Name: string }, isPodman: boolean): string {
  return isPodman ? Name : ID;
}
