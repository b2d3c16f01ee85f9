import { newId } from '../../kernel/identifiers.ts';
import type { Logger } from '../../kernel/log.ts';
import { runInContainer, scriptCommand, WAIT_COMMAND } from '../engine/container-commands.ts';
import type { Engine } from '../engine/engine.ts';
import { retryWhileInUse } from '../engine/in-use.ts';
import {
  discardContainer,
  KIND,
  keyLabels,
  NAME_PREFIX,
  VOLUME,
  volumeName,
} from '../engine/site-containers.ts';
import type { VolumeName } from './contents.ts';
import { MEMORY_BYTES, MOUNT_POINT, PROCESSES, RIGHTS, type VolumeHelpers } from './helpers.ts';

export interface EngineHelpersParts {
  engine: Engine;
  platform: () => string;
  /** Makes an image with a shell available, and returns its name. */
  image: (signal: AbortSignal) => Promise<string>;
  log: Logger;
}

/** Creates helpers for volumes of an engine: containers with nothing but the volume, and without a network. */
export function createEngineHelpers({ engine, platform, image, log }: EngineHelpersParts): VolumeHelpers {
  const labelsOf = (volume: VolumeName) => keyLabels(platform(), volume);
  const make = async (volume: VolumeName, signal: AbortSignal): Promise<void> => {
    const labels = { ...labelsOf(volume), [VOLUME]: volume.name };
    await engine.createVolume(volumeName(volume, volume.name), labels, signal);
  };
  return {
    async where(volume, signal) {
      const labels = { ...labelsOf(volume), [VOLUME]: volume.name };
      const there = await engine.volumes(labels, signal);
      return there.length > 0 ? (await engine.identity(signal)).machine : undefined;
    },

    make,

    async open(volume, signal) {
      const helper = `${NAME_PREFIX}hand-${newId()}`;
      const Source = volumeName(volume, volume.name);
      const close = () => discardContainer(engine, helper, log);
      await make(volume, signal);
      try {
        await engine.create(
          helper,
          {
            Image: await image(signal),
            Entrypoint: WAIT_COMMAND,
            Cmd: [],
            User: '0:0',
            Labels: { ...labelsOf(volume), [KIND]: 'hand' },
            HostConfig: {
              NetworkMode: 'none',
              Memory: MEMORY_BYTES,
              PidsLimit: PROCESSES,
              CapDrop: ['ALL'],
              CapAdd: RIGHTS,
              SecurityOpt: ['no-new-privileges'],
              Mounts: [{ Type: 'volume', Source, Target: MOUNT_POINT }],
            },
          },
          signal,
        );
        await engine.start(helper, signal);
      } catch (error) {
        await close();
        throw error;
      }
      return {
        async run(script, words, until) {
          const order = { Cmd: scriptCommand(script, words), User: '0:0' };
          const { code, output: said } = await runInContainer(engine, helper, order, until);
          if (code !== 0) throw new Error(`a volume's command ended with ${code}: ${said}`);
          return said;
        },

        async read(until) {
          const archive = await engine.files(helper, `${MOUNT_POINT}/.`, until);
          if (!archive) throw new Error('a volume is not where it was mounted');
          return archive;
        },

        put: (archive, until) => engine.putFiles(helper, '/', archive, until),

        close,
      };
    },

    /** The volume is created again by the next instance that uses it. */
    empty: (volume, signal) =>
      retryWhileInUse(() => engine.removeVolume(volumeName(volume, volume.name), signal), signal),
  };
}
