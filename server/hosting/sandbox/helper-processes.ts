import { HelperShell, type HelperTask, type TaskOutcome } from './helper-shell.ts';

// Helper processes: a few small shells that stay running and start programs such as du, chown and rm, which work on
// trees of folders many times a second. If this process started a program itself, its memory mappings would be copied,
// which takes tens of milliseconds in which nothing else runs.

export interface HelperLimits {
  mostMs: number;
  signal?: AbortSignal | undefined;
}

export interface Outcome extends TaskOutcome {
  /** True if the task took too long and was ended. */
  isLate: boolean;
}

interface QueuedTask extends HelperLimits {
  task: HelperTask;
  path: string;
  resolve: (outcome: Outcome) => void;
  /** True for a task that is tried once more because its shell ended. */
  isRepeated?: boolean;
}

/** Result of a task that was not done, because no helper shell could be started. */
const NOT_DONE: Outcome = { succeeded: false, output: [], isLate: false, hasCrashed: true };

/** Queue of tasks for helper shells. Shells are started when they are needed, up to a maximum number. */
export class HelperProcesses {
  readonly #mostShells: number;
  readonly #shells = new Set<HelperShell>();
  readonly #waiting: QueuedTask[] = [];

  constructor(mostShells: number) {
    this.#mostShells = mostShells;
  }

  /** Runs a task. Never rejects. A task that takes too long, or whose signal aborts, is ended. */
  run(task: HelperTask, path: string, limits: HelperLimits): Promise<Outcome> {
    return new Promise((resolve) => {
      this.#waiting.push({ task, path, ...limits, resolve });
      this.#startWaiting();
    });
  }

  /** Starts waiting tasks on helper shells, as many as there are shells for. */
  #startWaiting(): void {
    while (this.#waiting.length > 0) {
      const shell = this.#freeShell();
      const queued = shell && this.#waiting.shift();
      if (!queued) return;
      if (queued.signal?.aborted) queued.resolve(NOT_DONE);
      else this.#start(shell, queued);
    }
  }

  #start(shell: HelperShell, queued: QueuedTask): void {
    const { task, path, mostMs, signal, resolve, isRepeated } = queued;
    let isLate = false;
    const stop = () => shell.kill();
    const timer = setTimeout(() => {
      isLate = true;
      stop();
    }, mostMs);
    signal?.addEventListener('abort', stop, { once: true });
    shell.run(task, path, (outcome) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      // An idle shell may have ended just before it got the task. Each task can be repeated.
      const isCut = outcome.hasCrashed && !isLate && !signal?.aborted;
      if (isCut && !isRepeated) this.#waiting.unshift({ ...queued, isRepeated: true });
      else resolve({ ...outcome, isLate });
      this.#startWaiting();
    });
  }

  /** Returns an idle shell, or a new one if there may be more; undefined if there is none. */
  #freeShell(): HelperShell | undefined {
    const idle = [...this.#shells].find(({ isIdle }) => isIdle);
    if (idle || this.#shells.size >= this.#mostShells) return idle;
    try {
      const shell = new HelperShell(() => this.#shells.delete(shell));
      this.#shells.add(shell);
      return shell;
    } catch {
      // The machine can't start another process now. If no helper shell is left, all waiting tasks fail at once.
      if (this.#shells.size === 0) for (const { resolve } of this.#waiting.splice(0)) resolve(NOT_DONE);
      return undefined;
    }
  }
}
