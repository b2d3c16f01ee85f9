import type { Readable } from 'node:stream';
import { newId } from '../../kernel/identifiers.ts';
import type { Logger } from '../../kernel/log.ts';
import type { ContainerOrder } from '../engine/container-calls.ts';
import { runInContainer, scriptCommand, WAIT_COMMAND } from '../engine/container-commands.ts';
import type { Engine } from '../engine/engine.ts';
import { retryWhileInUse } from '../engine/in-use.ts';
import type { Labels } from '../engine/labels.ts';
import {
  discardContainer,
  KIND,
  keyLabels,
  NAME_PREFIX,
  VOLUME,
  volumeName,
} from '../engine/site-containers.ts';
import type { VolumeName } from './contents.ts';
import {
  HELPER_CAPABILITIES,
  HELPER_LIMITS,
  MOUNT_POINT,
  type VolumeHelper,
  type VolumeHelpers,
} from './helpers.ts';

export interface EngineHelpersParts {
  engine: Engine;
  platform: () => string;
  /** Makes an image with a shell available, and returns its name. */
  image: (signal: AbortSignal) => Promise<string>;
  log: Logger;
}

/**
 * Helpers in containers of an engine, which read and write volumes for the platform: each sees only its volume, and has
 * no network.
 */
export class EngineHelpers implements VolumeHelpers {
  readonly #parts: EngineHelpersParts;

  constructor(parts: EngineHelpersParts) {
    this.#parts = parts;
  }

  async where(volume: VolumeName, signal: AbortSignal): Promise<string | undefined> {
    const { engine } = this.#parts;
    const volumes = await engine.volumes(this.#volumeLabels(volume), signal);
    return volumes.length > 0 ? (await engine.identity(signal)).machine : undefined;
  }

  async make(volume: VolumeName, signal: AbortSignal): Promise<void> {
    const { engine } = this.#parts;
    await engine.createVolume(volumeName(volume, volume.name), this.#volumeLabels(volume), signal);
  }

  async open(volume: VolumeName, signal: AbortSignal): Promise<VolumeHelper> {
    const { engine, image, log } = this.#parts;
    const name = `${NAME_PREFIX}helper-${newId()}`;
    await this.make(volume, signal);
    try {
      await engine.create(name, this.#order(volume, await image(signal)), signal);
      await engine.start(name, signal);
    } catch (error) {
      await discardContainer(engine, name, log);
      throw error;
    }
    return new EngineHelper({ engine, name, log });
  }

  /** Removes the volume. The next instance that uses it creates it again. */
  empty(volume: VolumeName, signal: AbortSignal): Promise<void> {
    const { engine } = this.#parts;
    return retryWhileInUse(() => engine.removeVolume(volumeName(volume, volume.name), signal), signal);
  }

  #order(volume: VolumeName, image: string): ContainerOrder {
    return {
      Image: image,
      Entrypoint: WAIT_COMMAND,
      Cmd: [],
      User: '0:0',
      Labels: { ...keyLabels(this.#parts.platform(), volume), [KIND]: 'helper' },
      HostConfig: {
        NetworkMode: 'none',
        Memory: HELPER_LIMITS.memoryBytes,
        PidsLimit: HELPER_LIMITS.processes,
        CapDrop: ['ALL'],
        CapAdd: HELPER_CAPABILITIES,
        SecurityOpt: ['no-new-privileges'],
        Mounts: [{ Type: 'volume', Source: volumeName(volume, volume.name), Target: MOUNT_POINT }],
      },
    };
  }

  #volumeLabels(volume: VolumeName): Labels {
    return { ...keyLabels(this.#parts.platform(), volume), [VOLUME]: volume.name };
  }
}

class EngineHelper implements VolumeHelper {
  readonly #engine: Engine;
  /** Name of the helper's container. */
  readonly #name: string;
  readonly #log: Logger;

  constructor({ engine, name, log }: { engine: Engine; name: string; log: Logger }) {
    this.#engine = engine;
    this.#name = name;
    this.#log = log;
  }

  async run(script: string, args: readonly string[], signal: AbortSignal): Promise<string> {
    const order = { Cmd: scriptCommand(script, args), User: '0:0' };
    const { code, output } = await runInContainer(this.#engine, this.#name, order, signal);
    if (code !== 0) throw new Error(`a volume's command ended with ${code}: ${output}`);
    return output;
  }

  async read(signal: AbortSignal): Promise<Readable> {
    const archive = await this.#engine.files(this.#name, `${MOUNT_POINT}/.`, signal);
    if (!archive) throw new Error('a volume is not where it was mounted');
    return archive;
  }

  put(archive: Readable, signal: AbortSignal): Promise<void> {
    return this.#engine.putFiles(this.#name, '/', archive, signal);
  }

  close(): Promise<void> {
    return discardContainer(this.#engine, this.#name, this.#log);
  }
}
