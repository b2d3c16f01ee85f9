import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../kernel/identifiers.ts';
import type { Logger } from '../../kernel/log.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { scriptCommand } from '../engine/container-commands.ts';
import type { Engine } from '../engine/engine.ts';
import { EngineError } from '../engine/errors.ts';
import { INSTANCE, KIND, keyLabels, PLATFORM, USER, VOLUME, volumeName } from '../engine/site-containers.ts';
import type { ClusterEnvironments } from '../engine/swarm/environments.ts';
import { createPlacementTimeout, PLACEMENT_CHECK_MS } from '../engine/swarm/placement.ts';
import { NO_NEW_PRIVILEGES, type Swarm } from '../engine/swarm/swarm.ts';
import { hasEnded, taskOrigin } from '../engine/swarm/tasks.ts';
import type { ServiceOrder } from '../engine/swarm/types.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import type { VolumeName } from './contents.ts';
import {
  MEMORY_BYTES,
  MOUNT_POINT,
  PROCESSES,
  RIGHTS,
  type VolumeHelper,
  type VolumeHelpers,
} from './helpers.ts';
import { messages } from './messages.ts';

// Managers of a cluster can't pass commands or archives to containers on other machines. A volume there is reached
// through a helper service, which answers on a port of that machine.

export interface ClusterHelpersParts {
  swarm: Swarm;
  platform: () => string;
  environments: ClusterEnvironments;
  /** Name of an image with Node.js and tar. */
  image: string;
  /** Engine of the manager. */
  engine: Pick<Engine, 'supportsVersion'>;
  log: Logger;
}

const PROGRAM = new URL('../engine/swarm/cluster-helper.cjs', import.meta.url);
const NEVER = new AbortController().signal;
const PORT = 8_080;
const TOKEN_BYTES = 32;
const SECOND = 1e9;
/** Timeout for the start of a helper, which may have to pull its image. */
const START_MS = 120_000;
/** Interval of the checks that a helper is still running. */
const LOOK_MS = 3_000;
/** Exit code of tar if a file changed while it was read, as may happen on a running site. */
const CHANGED = '1';

/** Script: gives a new, empty volume ($1) to the site's user ($2). */
const READY = `if [ -O "$1" ] && [ -z "$(ls -A "$1")" ]; then chown "$2" "$1" && chmod 777 "$1"; fi`;

/** Script: removes everything in $1. */
const EMPTY = `set -e
cd "$1"
for one in * .[!.]* ..?*; do
  if [ -e "$one" ] || [ -L "$one" ]; then rm -rf "./$one"; fi
done`;

/** Creates helpers for volumes of a cluster, each on the machine that its environment is pinned to. */
export function createClusterHelpers(parts: ClusterHelpersParts): VolumeHelpers {
  const { swarm, platform, environments, image, engine, log } = parts;

  const orderOf = async (
    volume: VolumeName,
    { Name, token, Constraints }: { Name: string; token: string; Constraints: readonly string[] },
  ): Promise<ServiceOrder> => {
    const its = keyLabels(platform(), volume);
    return {
      Name,
      Labels: { ...its, [KIND]: 'hand', [INSTANCE]: Name },
      Mode: { Replicated: { Replicas: 1 } },
      TaskTemplate: {
        ContainerSpec: {
          Image: image,
          Command: ['node', '--eval', await readFile(PROGRAM, 'utf8')],
          User: '0:0',
          Labels: its,
          Env: [`HAND_TOKEN=${token}`, `HAND_PORT=${PORT}`],
          CapabilityDrop: ['ALL'],
          CapabilityAdd: [...RIGHTS, 'CHOWN'],
          StopGracePeriod: SECOND,
          ...(engine.supportsVersion(NO_NEW_PRIVILEGES) && { Privileges: { NoNewPrivileges: true } }),
          // Even if a link in the volume leads out of it, nothing but the volume is writable.
          ReadOnly: true,
          Mounts: [
            {
              Type: 'volume',
              Source: volumeName(volume, volume.name),
              Target: MOUNT_POINT,
              VolumeOptions: { Labels: { ...its, [VOLUME]: volume.name } },
            },
          ],
        },
        Resources: { Limits: { MemoryBytes: MEMORY_BYTES, Pids: PROCESSES } },
        RestartPolicy: { Condition: 'none' },
        Placement: { Constraints },
        LogDriver: { Name: 'json-file', Options: { 'max-size': '1m', 'max-file': '1' } },
      },
      EndpointSpec: {
        Mode: 'dnsrr',
        Ports: [{ Protocol: 'tcp', TargetPort: PORT, PublishMode: 'host' }],
      },
    };
  };

  /** Address of the helper, once it runs. */
  const originWhenUp = async (Name: string, signal: AbortSignal): Promise<string> => {
    const labels = { [PLATFORM]: platform(), [INSTANCE]: Name };
    for (const mayWait = createPlacementTimeout(); ; await sleep(PLACEMENT_CHECK_MS, undefined, { signal })) {
      const tasks = await swarm.tasks(labels, signal);
      mayWait(tasks);
      const [task] = tasks;
      if (task && hasEnded(task))
        throw new EngineError(500, task.Status.Err ?? 'what looks into a volume has ended');
      if (task?.Status.State !== 'running') continue;
      const node = (await swarm.nodes(signal)).find(({ ID }) => ID === task.NodeID);
      const origin = taskOrigin(task, PORT, node);
      if (origin !== undefined) return origin;
    }
  };

  const opened = async (volume: VolumeName, Name: string, signal: AbortSignal) => {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const Constraints = await environments.pin(volume, signal);
    await swarm.createService(await orderOf(volume, { Name, token, Constraints }), signal);
    const at: HelperAddress = { origin: await originWhenUp(Name, signal), token };
    for (;;) {
      try {
        await outputOf(await ask(at, scriptCommand(READY, [MOUNT_POINT, USER]), undefined, signal));
        return at;
      } catch (error) {
        // The helper starts to listen a moment after its task is running.
        if (!(error instanceof HelperNotReady)) throw error;
        await sleep(PLACEMENT_CHECK_MS, undefined, { signal });
      }
    }
  };

  const open = async (volume: VolumeName, signal: AbortSignal): Promise<VolumeHelper> => {
    const Name = `simcha-hand-${newId()}`;
    const close = () =>
      swarm
        .removeService(Name, NEVER)
        .catch((error) => log.warn({ err: error }, 'a service could not be removed'));
    const late = AbortSignal.timeout(START_MS);
    try {
      const at = await opened(volume, Name, AbortSignal.any([signal, late]));
      const closed = new AbortController();
      const gone = goneWith(Name, closed.signal);
      return {
        ...helperAt(at, gone),
        close: () => {
          closed.abort();
          return close();
        },
      };
    } catch (error) {
      await close();
      if (signal.aborted || !(late.aborted || error instanceof RuntimeFailure)) throw error;
      log.warn({ err: error }, 'the machine of a volume can’t be reached');
      throw new Refusal(503, 'unhosted', messages.machineAway);
    }
  };

  /** Signal that aborts once the helper has ended or its machine is down, which its connections do not report. */
  const goneWith = (Name: string, closed: AbortSignal): AbortSignal => {
    const gone = new AbortController();
    const look = async (): Promise<boolean> => {
      const [tasks, nodes] = await Promise.all([
        swarm.tasks({ [PLATFORM]: platform(), [INSTANCE]: Name }, closed),
        swarm.nodes(closed),
      ]);
      const isDown = (id?: string) => nodes.find(({ ID }) => ID === id)?.Status.State === 'down';
      return tasks.every((task) => hasEnded(task) || isDown(task.NodeID));
    };
    const watch = async () => {
      while (!closed.aborted) {
        await sleep(LOOK_MS, undefined, { signal: closed, ref: false });
        // While the managers do not answer, the helper's state is unknown.
        if (await look().catch(() => false)) break;
      }
      gone.abort(new Refusal(503, 'unhosted', messages.machineAway));
    };
    watch().catch(() => {});
    return gone.signal;
  };

  return {
    where: (key, signal) => environments.machineOf(key, signal),
    open,

    async make(volume, signal) {
      await environments.pin(volume, signal);
    },

    async empty(volume, signal) {
      if ((await environments.machineOf(volume, signal)) === undefined) return;
      const helper = await open(volume, signal);
      try {
        await helper.run(EMPTY, [MOUNT_POINT], signal);
      } finally {
        await helper.close();
      }
    },
  };
}

interface HelperAddress {
  origin: string;
  token: string;
}

/** Thrown if the helper does not answer yet. */
class HelperNotReady extends Error {}

function helperAt(at: HelperAddress, gone: AbortSignal): Omit<VolumeHelper, 'close'> {
  const runCommand = async (command: readonly string[], body: Readable | undefined, signal: AbortSignal) => {
    const until = AbortSignal.any([signal, gone]);
    try {
      return await outputOf(await ask(at, command, body, until));
    } catch (error) {
      until.throwIfAborted();
      throw error;
    }
  };
  return {
    run: (script, words, signal) => runCommand(scriptCommand(script, words), undefined, signal),

    async read(signal) {
      const words = ['tar', '-c', '-f', '-', '-C', MOUNT_POINT, '.'];
      const answer = await ask(at, words, undefined, AbortSignal.any([signal, gone]));
      return Readable.from(whole(answer, ['0', CHANGED]), { objectMode: false });
    },

    async put(archive, signal) {
      await runCommand(['tar', '-x', '-p', '-f', '-', '-C', '/'], archive, signal);
    },
  };
}

/** Sends a command to the helper; the answer's body is the command's output. */
async function ask(
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
  // A body that fails to be read is cut off, so the helper does not take it as complete.
  if (body) pipeline(body, sent).catch(() => {});
  else sent.end();
  const answer = await answered;
  if (answer.statusCode === 200) return answer;
  answer.resume();
  throw new Error(`what looks into a volume answered ${answer.statusCode}`);
}

/** The complete output; throws if the command ended with another code. */
async function* whole(answer: IncomingMessage, codes: readonly string[]): AsyncGenerator<Buffer> {
  yield* answer;
  const { 'simcha-code': code = 'nothing', 'simcha-said': errorOutput = '' } = answer.trailers;
  if (!codes.includes(code))
    throw new Error(`a volume's command ended with ${code}: ${Buffer.from(errorOutput, 'base64')}`);
}

function outputOf(answer: IncomingMessage): Promise<string> {
  return text(whole(answer, ['0']));
}
