import type { Readable } from 'node:stream';
import type { Connection } from './connection.ts';
import { EngineError, engineErrorFor } from './errors.ts';
import type { Labels } from './labels.ts';
import { exitCodeInMessage } from './quirks/podman.ts';
import { jsonLines } from './streams.ts';

export interface ImageBuildOrder {
  /** Tar archive with all files that the build sees. */
  context: Readable;
  /** Name of the image that the build makes. */
  tag: string;
  /** Path of the Dockerfile among the files that the build sees. */
  dockerfile: string;
  target?: string | undefined;
  /** Build arguments. Each can be read in the image's history, so they hold no secrets. */
  args?: Labels | undefined;
  labels?: Labels;
  /** Memory limit of the build in bytes, including swap. */
  memory: number;
  /** Network of the build's commands: `none` or a network's id. */
  network: string;
}

/** Error of a build whose command failed, with its exit code. */
export class StepFailed extends EngineError {
  readonly code: number;

  constructor(code: number, message: string) {
    super(500, message);
    this.code = code;
  }
}

interface BuildMessage {
  stream?: string;
  error?: string;
  errorDetail?: { code?: number; message?: string };
  aux?: { ID?: string };
}

/** Calls that build images from Dockerfiles, which may take long. */
export function buildCalls({ stream }: Connection) {
  return {
    /**
     * Builds an image. `output` receives the build's output, line by line. Returns the ids of all stages' images; the
     * last one is the finished image.
     */
    async build(
      order: ImageBuildOrder,
      output: (line: string) => void,
      signal: AbortSignal,
    ): Promise<string[]> {
      const call = { path: ['build'], query: queryOf(order), body: order.context };
      const answer = await stream({ method: 'POST', ...call, signal, mayTakeLong: true });
      const ids: string[] = [];
      let rest = '';
      for await (const message of jsonLines<BuildMessage>(answer)) {
        throwError(message);
        if (message.aux?.ID !== undefined) ids.push(message.aux.ID);
        const lines = (rest + (message.stream ?? '')).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line.trim() !== '') output(line);
      }
      if (rest.trim() !== '') output(rest);
      if (ids.length === 0) throw new EngineError(500, 'the build gave no image');
      return ids;
    },
  };
}

function queryOf(order: ImageBuildOrder) {
  const { tag, dockerfile, target, args, labels, memory, network } = order;
  return {
    t: tag,
    dockerfile,
    target,
    buildargs: args,
    labels,
    networkmode: network,
    memory,
    memswap: memory,
    rm: true,
    forcerm: true,
  };
}

/** Throws if a message of the build reports an error: a StepFailed if a command of the Dockerfile has failed. */
function throwError({ error, errorDetail = {} }: BuildMessage): void {
  if (error === undefined) return;
  const { message = error } = errorDetail;
  const code = errorDetail.code ?? exitCodeInMessage(message);
  throw code ? new StepFailed(code, message) : engineErrorFor(500, message);
}
