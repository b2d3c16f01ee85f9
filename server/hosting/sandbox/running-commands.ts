import { reason } from '../model/reasons/reason.ts';
import type { Command } from './command.ts';
import type { Isolation } from './confined.ts';
import { processesMarked, readProcesses, signalProcess } from './processes.ts';

/** Commands that run in a sandbox now. Ends processes that a command leaves behind. */
export class RunningCommands {
  /** Folders that each running command uses. */
  readonly #folders = new Map<Command, readonly string[]>();
  readonly #endsDescendants: boolean;

  constructor({ endsDescendants }: Pick<Isolation, 'endsDescendants'>) {
    this.#endsDescendants = endsDescendants;
  }

  add(command: Command, folders: readonly string[]): void {
    this.#folders.set(command, folders);
  }

  /** Removes a command that has ended, and ends the processes that it has left. */
  remove(command: Command): void {
    const folders = this.#folders.get(command) ?? [];
    this.#folders.delete(command);
    this.#killStrays(folders);
  }

  /** Ends all commands, and resolves when they have ended. */
  async end(): Promise<void> {
    const ends = [...this.#folders.keys()].map(({ ended }) => ended);
    this.#killAll();
    await Promise.all(ends);
  }

  /** Ends all commands and the processes that they have left behind, without waiting. */
  killEverything(): void {
    this.#killAll();
    this.#killStrays([...this.#folders.values()].flat());
  }

  #killAll(): void {
    for (const command of this.#folders.keys()) command.kill(reason('stopped'));
  }

  /**
   * Ends processes that a command without a sandbox has left in these folders, unless another running command may have
   * started them.
   */
  #killStrays(folders: readonly string[]): void {
    if (this.#endsDescendants) return;
    // Leftover processes of the ended command are looked up first, and all running processes after that: a process that
    // another command starts in between is then not taken for a leftover.
    const marked = processesMarked(...folders.map((folder) => `${folder}/`));
    const table = readProcesses();
    const ofCommands = new Set(
      [...this.#folders.keys()].flatMap(({ pid }) =>
        pid === undefined ? [] : table.treeOf(pid).map((one) => one.pid),
      ),
    );
    for (const pid of marked) if (!ofCommands.has(pid)) signalProcess(pid, 'SIGKILL');
  }
}
