import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** Task of a helper shell: work on one folder. */
export type HelperTask =
  | 'measure'
  | 'open up'
  | 'remove'
  | 'remove specials'
  | `give to ${number}`
  | `copy to ${string}`;

export interface TaskOutcome {
  succeeded: boolean;
  /** First and last lines of the output of the task's program; lines between them may be left out. */
  output: string[];
  /** True if a signal ended the program, or if the program could not be run. */
  hasCrashed: boolean;
}

/** Arguments of find(1) for everything except files, folders and links: pipes, sockets and devices. */
export const SPECIALS = '! -type f ! -type d ! -type l';

/**
 * Shell loop. The task and the folder's path are one line each, and are never interpreted further. The line with the
 * exit code begins with a zero byte, which no other line can contain.
 */
const SCRIPT = `
while IFS= read -r task && IFS= read -r path; do
  case $task in
    measure) du -skx -- "$path" ;;
    'open up') chmod -R u+rwX -- "$path" ;;
    remove) rm -rf --one-file-system -- "$path" ;;
    'remove specials') find "$path" -xdev ${SPECIALS} -delete ;;
    'copy to '*) cp -a --reflink=auto -T -- "$path" "\${task#copy to }" ;;
    'give to '*) chown -Rh -- "\${task#give to }:\${task#give to }" "$path" ;;
  esac </dev/null 2>&1
  printf '\\0%s\\n' "$?"
done`;

const MOST_LINES = 100;
/** Maximum length of an unfinished line of a helper shell's output, in UTF-16 code units. */
const LONGEST_LINE = 64 * 1024;
/**
 * Lowest exit code by which the shell reports that a program can't be found or run, or (above it) was ended by a
 * signal.
 */
const NOT_RUN = 126;

interface RunningTask {
  output: string[];
  onEnd: (outcome: TaskOutcome) => void;
}

/**
 * Shell that runs tasks, one at a time. An idle shell does not keep this process from ending, and ends with it, because
 * its input closes.
 */
export class HelperShell {
  readonly #child: ChildProcess;
  /** Running task; undefined while the shell is idle. */
  #task: RunningTask | undefined;
  /** Unfinished last line of the shell's output. */
  #rest = '';

  /** Starts the shell; `onGone` is called when it has ended. Throws if no process can be started. */
  constructor(onGone: () => void) {
    const child = spawn('/bin/sh', ['-c', SCRIPT], {
      cwd: '/',
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    const onClose = () => {
      onGone();
      this.#end(undefined);
    };
    child.on('error', onClose);
    child.on('close', onClose);
    for (const stream of [child.stdin, child.stdout]) stream?.on('error', () => {});
    this.#hold(false);
  }

  get isIdle(): boolean {
    return this.#task === undefined;
  }

  /** Runs a task while the shell is idle; `onEnd` is called once, when the shell is idle again. */
  run(task: HelperTask, path: string, onEnd: RunningTask['onEnd']): void {
    this.#task = { output: [], onEnd };
    this.#hold(true);
    this.#child.stdin?.write(`${task}\n${path}\n`);
  }

  /** Ends the shell together with the program that it runs. */
  kill(): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // The shell has already ended, so its process can't be killed.
    }
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = (lines.pop() ?? '').slice(0, LONGEST_LINE);
    for (const line of lines) this.#readLine(line);
  }

  #readLine(line: string): void {
    const { output } = this.#task ?? {};
    if (line.startsWith('\0')) {
      this.#end(Number(line.slice(1)));
    } else if (output) {
      if (output.length === MOST_LINES) output.pop();
      output.push(line);
    }
  }

  /**
   * Ends the task that the shell is running, if there is one. `code`: exit code of the task's program; undefined if the
   * shell itself has ended.
   */
  #end(code: number | undefined): void {
    if (!this.#task) return;
    const { output, onEnd } = this.#task;
    this.#hold(false);
    this.#task = undefined;
    onEnd({ succeeded: code === 0, output, hasCrashed: code === undefined || code >= NOT_RUN });
  }

  /** Sets whether the shell keeps this process from ending. */
  #hold(isHeld: boolean): void {
    const streams = [this.#child.stdin, this.#child.stdout] as unknown as (Socket | null)[];
    for (const one of [this.#child, ...streams]) {
      if (isHeld) one?.ref();
      else one?.unref();
    }
  }
}
