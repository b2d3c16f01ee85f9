import type { Readable } from 'node:stream';
import type { Connection } from './connection.ts';
import { EngineError, engineErrorFor } from './errors.ts';
import type { Labels } from './labels.ts';
import { jsonLines } from './streams.ts';

export interface BuildKitOrder {
  /** Tar archive with all files that the build sees. */
  context: Readable;
  /** Name of the image that the build makes. */
  tag: string;
  /** Path of the Dockerfile among the files that the build sees. */
  dockerfile: string;
  target?: string | undefined;
  /** Build arguments. Each can be read in the image's history, so they hold no secrets. */
  args?: Labels | undefined;
  labels: Labels;
}

interface Message {
  id?: string;
  aux?: unknown;
  error?: string;
  errorDetail?: { message?: string };
}

/** Id of the engine's messages that contain a StatusResponse of BuildKit, in base64. */
const PROGRESS = 'moby.buildkit.trace';
const IMAGE = 'moby.image.id';
/**
 * Maximum length of a message in the build's output: BuildKit sends a mebibyte of output at once, to which base64 adds
 * a third.
 */
const LONGEST = 4 * 2 ** 20;

/**
 * BuildKit, the builder within Docker. Builds with BuildKit have no limits for memory and processors, and no network of
 * their own: their commands run in the engine's default bridge. Podman has no BuildKit.
 */
export class BuildKit {
  readonly #connection: Pick<Connection, 'ask' | 'stream'>;

  constructor(connection: Pick<Connection, 'ask' | 'stream'>) {
    this.#connection = connection;
  }

  /** Builds an image. `progress` receives each StatusResponse, undecoded. The build ends with its connection. */
  async build(
    { context, tag, dockerfile, target, args, labels }: BuildKitOrder,
    progress: (message: Uint8Array) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const query = { version: '2', t: tag, dockerfile, target, buildargs: args, labels };
    const call = { method: 'POST', path: ['build'], query, body: context, signal } as const;
    const answer = await this.#connection.stream({ ...call, mayTakeLong: true });
    let isMade = false;
    for await (const message of jsonLines<Message>(answer, LONGEST)) {
      const { id, aux, error, errorDetail } = message;
      if (error !== undefined) throw engineErrorFor(500, errorDetail?.message ?? error);
      if (id === PROGRESS && typeof aux === 'string') progress(Buffer.from(aux, 'base64'));
      if (id === IMAGE) isMade = true;
    }
    if (!isMade) throw new EngineError(500, 'the build gave no image');
  }

  /** Removes the least recently used part of the build cache of all builds, down to a size of `mostBytes`. */
  async limitCache(mostBytes: number, signal: AbortSignal): Promise<void> {
    const path = ['build', 'prune'];
    await this.#connection.ask({ method: 'POST', path, query: { 'keep-storage': mostBytes }, signal });
  }
}
