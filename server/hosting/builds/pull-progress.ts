import type { TransferMessage } from '../engine/image-calls.ts';
import { messages } from './messages.ts';

const EVERY_MS = 5_000;
const DOWNLOADING = 'Downloading';
const PULLED = 'Pull complete';
const PRESENT = 'Already exists';

/** Progress of a pull as lines of a log: each layer that is done, and now and then how much has been downloaded. */
export class PullProgress {
  readonly #write: (line: string) => void;
  readonly #now: () => number;
  /** Downloaded bytes and size of each layer, as far as the engine has told them. */
  readonly #layers = new Map<string, { current: number; total: number }>();
  #told: number;

  constructor(write: (line: string) => void, now: () => number = () => performance.now()) {
    this.#write = write;
    this.#now = now;
    this.#told = now();
  }

  add({ id, status, progressDetail: { current = 0, total = 0 } = {} }: TransferMessage): void {
    if (id === undefined) return;
    if (status === DOWNLOADING) {
      this.#layers.set(id, { current, total });
      this.#tellProgress();
    }
    if (status === PULLED) this.#write(messages.layer(id, this.#layers.get(id)?.total));
    if (status === PRESENT) this.#write(messages.layerPresent(id));
  }

  #tellProgress(): void {
    if (this.#now() - this.#told < EVERY_MS) return;
    this.#told = this.#now();
    const layers = [...this.#layers.values()];
    const sum = (field: 'current' | 'total') => layers.reduce((bytes, layer) => bytes + layer[field], 0);
    this.#write(messages.downloaded(sum('current'), sum('total')));
  }
}
