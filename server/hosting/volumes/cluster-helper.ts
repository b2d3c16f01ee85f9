import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { scriptCommand } from '../engine/container-commands.ts';
import { USER } from '../engine/site-containers.ts';
import { PLACEMENT_CHECK_MS } from '../engine/swarm/placement.ts';
import { MOUNT_POINT, type VolumeHelper } from './helpers.ts';

// Client of the helper's program (engine/swarm/cluster-helper.cjs): each request runs one command. The request's body
// is the command's input, and the answer's body is its output.

/** Address of a helper, and the secret that its requests must contain. */
export interface HelperAddress {
  origin: string;
  token: string;
}

export interface ClusterHelperParts {
  address: HelperAddress;
  /** Signal that aborts once the helper has ended or its machine is down, which connections do not report. */
  gone: AbortSignal;
  /** Function that removes the helper. */
  remove: () => Promise<void>;
}

/** Exit code of tar if a file changed while it was read, as may happen on a running site. */
const CHANGED = '1';

/** Shell script that gives a new, empty volume ($1) to the site's user ($2). */
const READY = `if [ -O "$1" ] && [ -z "$(ls -A "$1")" ]; then chown "$2" "$1" && chmod 777 "$1"; fi`;

/** Helper for a volume on any machine of a cluster. */
export class ClusterHelper implements VolumeHelper {
  readonly #parts: ClusterHelperParts;

  constructor(parts: ClusterHelperParts) {
    this.#parts = parts;
  }

  run(script: string, args: readonly string[], signal: AbortSignal): Promise<string> {
    return this.#runCommand(scriptCommand(script, args), undefined, signal);
  }

  async read(signal: AbortSignal): Promise<Readable> {
    const { address, gone } = this.#parts;
    const command = ['tar', '-c', '-f', '-', '-C', MOUNT_POINT, '.'];
    const answer = await send(address, command, undefined, AbortSignal.any([signal, gone]));
    return Readable.from(completeOutput(answer, ['0', CHANGED]), { objectMode: false });
  }

  async put(archive: Readable, signal: AbortSignal): Promise<void> {
    await this.#runCommand(['tar', '-x', '-p', '-f', '-', '-C', '/'], archive, signal);
  }

  close(): Promise<void> {
    return this.#parts.remove();
  }

  async #runCommand(
    command: readonly string[],
    body: Readable | undefined,
    signal: AbortSignal,
  ): Promise<string> {
    const { address, gone } = this.#parts;
    const until = AbortSignal.any([signal, gone]);
    try {
      return await outputOf(await send(address, command, body, until));
    } catch (error) {
      until.throwIfAborted();
      throw error;
    }
  }
}

/** Waits until a helper answers, and gives a new, empty volume to the site's user. */
export async function prepareVolume(address: HelperAddress, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await outputOf(await send(address, scriptCommand(READY, [MOUNT_POINT, USER]), undefined, signal));
      return;
    } catch (error) {
      // The helper starts to listen a moment after its task is running.
      if (!(error instanceof HelperNotReady)) throw error;
      await sleep(PLACEMENT_CHECK_MS, undefined, { signal });
    }
  }
}

/** Error because a helper does not answer yet. */
class HelperNotReady extends Error {}

/** Sends a command to a helper. Returns the answer, whose body is the command's output. */
async function send(
  { origin, token }: HelperAddress,
  command: readonly string[],
  body: Readable | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const sent = request(origin, {
    method: 'POST',
    agent: false,
    signal,
    headers: {
      'simcha-token': token,
      'simcha-command': Buffer.from(JSON.stringify(command)).toString('base64'),
    },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve);
    sent.on('error', (error) => reject(signal.aborted ? signal.reason : new HelperNotReady(error.message)));
  });
  // A request's body that fails to be read is cut off, so that the helper does not take it as complete.
  if (body) pipeline(body, sent).catch(() => {});
  else sent.end();
  const answer = await answered;
  if (answer.statusCode === 200) return answer;
  answer.resume();
  throw new Error(`the helper of a volume answered ${answer.statusCode}`);
}

/** Reads the whole output of a command. Throws if its exit code is not one of `codes`. */
async function* completeOutput(answer: IncomingMessage, codes: readonly string[]): AsyncGenerator<Buffer> {
  yield* answer;
  const { 'simcha-code': code = 'nothing', 'simcha-error-output': errorOutput = '' } = answer.trailers;
  if (!codes.includes(code))
    throw new Error(`a volume's command ended with ${code}: ${Buffer.from(errorOutput, 'base64')}`);
}

function outputOf(answer: IncomingMessage): Promise<string> {
  return text(completeOutput(answer, ['0']));
}
