import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../kernel/identifiers.ts';
import type { Logger } from '../../kernel/log.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Engine } from '../engine/engine.ts';
import { EngineError } from '../engine/errors.ts';
import { INSTANCE, NAME_PREFIX, PLATFORM } from '../engine/site-containers.ts';
import type { ClusterEnvironments } from '../engine/swarm/environments.ts';
import { createPlacementTimeout, PLACEMENT_CHECK_MS } from '../engine/swarm/placement.ts';
import { NO_NEW_PRIVILEGES, type Swarm } from '../engine/swarm/swarm.ts';
import { hasEnded, taskOrigin } from '../engine/swarm/tasks.ts';
import type { Task } from '../engine/swarm/types.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { ClusterHelper, type HelperAddress, prepareVolume } from './cluster-helper.ts';
import { HELPER_PORT, helperService } from './cluster-helper-service.ts';
import type { VolumeName } from './contents.ts';
import { MOUNT_POINT, type VolumeHelper, type VolumeHelpers } from './helpers.ts';
import { messages } from './messages.ts';

// Managers of a cluster can't pass commands or archives to containers on other machines. A volume there is reached
// through a helper service, which answers on a port of that machine.

export interface ClusterHelpersParts {
  swarm: Swarm;
  platform: () => string;
  environments: ClusterEnvironments;
  /** Name of an image with Node.js and tar. */
  image: string;
  /** Engine of the cluster's manager. */
  engine: Pick<Engine, 'supportsVersion'>;
  log: Logger;
}

const PROGRAM = new URL('../engine/swarm/cluster-helper.cjs', import.meta.url);
const NEVER = new AbortController().signal;
const TOKEN_BYTES = 32;
/** Timeout for the start of a helper, which may have to pull its image. */
const START_MS = 120_000;
/** Interval of the checks that a helper is still running. */
const LOOK_MS = 3_000;

/** Shell script that removes all files in the folder $1. */
const EMPTY = `set -e
cd "$1"
for one in * .[!.]* ..?*; do
  if [ -e "$one" ] || [ -L "$one" ]; then rm -rf "./$one"; fi
done`;

/** Helpers for volumes of a cluster, each on the machine that its environment is pinned to. */
export class ClusterHelpers implements VolumeHelpers {
  readonly #parts: ClusterHelpersParts;

  constructor(parts: ClusterHelpersParts) {
    this.#parts = parts;
  }

  where(volume: VolumeName, signal: AbortSignal): Promise<string | undefined> {
    return this.#parts.environments.machineOf(volume, signal);
  }

  async make(volume: VolumeName, signal: AbortSignal): Promise<void> {
    await this.#parts.environments.pin(volume, signal);
  }

  async open(volume: VolumeName, signal: AbortSignal): Promise<VolumeHelper> {
    const name = `${NAME_PREFIX}helper-${newId()}`;
    const late = AbortSignal.timeout(START_MS);
    try {
      const address = await this.#start(volume, name, AbortSignal.any([signal, late]));
      const closed = new AbortController();
      const remove = () => {
        closed.abort();
        return this.#remove(name);
      };
      return new ClusterHelper({ address, gone: this.#goneSignal(name, closed.signal), remove });
    } catch (error) {
      await this.#remove(name);
      if (signal.aborted || !(late.aborted || error instanceof RuntimeFailure)) throw error;
      this.#parts.log.warn({ err: error }, 'the machine of a volume can’t be reached');
      throw new Refusal(503, 'unhosted', messages.machineAway);
    }
  }

  async empty(volume: VolumeName, signal: AbortSignal): Promise<void> {
    if ((await this.where(volume, signal)) === undefined) return;
    const helper = await this.open(volume, signal);
    try {
      await helper.run(EMPTY, [MOUNT_POINT], signal);
    } finally {
      await helper.close();
    }
  }

  /** Starts a helper for a volume. Returns its address once it answers. */
  async #start(volume: VolumeName, name: string, signal: AbortSignal): Promise<HelperAddress> {
    const { swarm, platform, environments, image, engine } = this.#parts;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const constraints = await environments.pin(volume, signal);
    const program = await readFile(PROGRAM, 'utf8');
    const canForbidPrivileges = engine.supportsVersion(NO_NEW_PRIVILEGES);
    const order = {
      name,
      platform: platform(),
      volume,
      image,
      program,
      token,
      constraints,
      canForbidPrivileges,
    };
    await swarm.createService(helperService(order), signal);
    const address = { origin: await this.#waitForOrigin(name, signal), token };
    await prepareVolume(address, signal);
    return address;
  }

  /** Waits until a helper's task runs. Returns the URL at which the task's machine forwards to it. */
  async #waitForOrigin(name: string, signal: AbortSignal): Promise<string> {
    const { swarm } = this.#parts;
    const checkTimeout = createPlacementTimeout();
    for (;;) {
      const tasks = await this.#tasks(name, signal);
      checkTimeout(tasks);
      const [task] = tasks;
      if (task && hasEnded(task))
        throw new EngineError(500, task.Status.Err ?? 'the helper of a volume has ended');
      if (task?.Status.State === 'running') {
        const node = (await swarm.nodes(signal)).find(({ ID }) => ID === task.NodeID);
        const origin = taskOrigin(task, HELPER_PORT, node);
        if (origin !== undefined) return origin;
      }
      await sleep(PLACEMENT_CHECK_MS, undefined, { signal });
    }
  }

  /** Signal that aborts once the helper has ended or its machine is down, unless `closed` aborts before. */
  #goneSignal(name: string, closed: AbortSignal): AbortSignal {
    const gone = new AbortController();
    const watch = async () => {
      while (!closed.aborted) {
        await sleep(LOOK_MS, undefined, { signal: closed, ref: false });
        // A helper's state is unknown while the managers do not answer.
        if (await this.#isGone(name, closed).catch(() => false)) break;
      }
      gone.abort(new Refusal(503, 'unhosted', messages.machineAway));
    };
    watch().catch(() => {});
    return gone.signal;
  }

  async #isGone(name: string, signal: AbortSignal): Promise<boolean> {
    const [tasks, nodes] = await Promise.all([this.#tasks(name, signal), this.#parts.swarm.nodes(signal)]);
    const isDown = (id?: string) => nodes.find(({ ID }) => ID === id)?.Status.State === 'down';
    return tasks.every((task) => hasEnded(task) || isDown(task.NodeID));
  }

  #tasks(name: string, signal: AbortSignal): Promise<Task[]> {
    const { swarm, platform } = this.#parts;
    return swarm.tasks({ [PLATFORM]: platform(), [INSTANCE]: name }, signal);
  }

  /** Removes a helper. Never rejects. */
  async #remove(name: string): Promise<void> {
    const { swarm, log } = this.#parts;
    await swarm
      .removeService(name, NEVER)
      .catch((error) => log.warn({ err: error }, 'a service could not be removed'));
  }
}
