import { newId } from '../../kernel/identifiers.ts';
import type { Logger } from '../../kernel/log.ts';
import type { SiteFolders } from '../builds/site-folders.ts';
import { createTrash } from '../builds/trash.ts';
import { contentOf, treeOf } from '../engine/archives.ts';
import { runIn, scriptOf, WAIT } from '../engine/commands.ts';
import type { Engine } from '../engine/engine.ts';
import {
  APPLICATION,
  ENVIRONMENT,
  KIND,
  PLATFORM,
  SITE_USER,
  VOLUME,
  volumeOf,
} from '../engine/site-containers.ts';
import type { Contents, VolumeName } from './contents.ts';
import { createUnpacking, type UnpackingParts } from './unpacking.ts';

export interface EngineContentsParts extends Pick<UnpackingParts, 'walls' | 'diskMb'> {
  engine: Engine;
  platform: () => string;
  /** An image that has a shell, at hand. */
  image: (signal: AbortSignal) => Promise<string>;
  /** Where an archive is unpacked before the engine has it. */
  folders: SiteFolders;
  log: Logger;
}

const AT = '/volume';
/** What is on its way in or out of a volume, and belongs to no site. */
const OURS = '.simcha-';
const NEVER = new AbortController().signal;
const LONGEST_MS = 600_000;
const KIBIBYTE = 1_024;

/** All that $1 holds is out of the way before what is in its folder $2 takes its place: names alone are changed. */
const SWAP = `set -e
cd "$1"
mkdir -p "$2.gone"
for one in * .[!.]* ..?*; do
  case $one in ${OURS}*) continue ;; esac
  if [ -e "$one" ] || [ -L "$one" ]; then mv "$one" "$2.gone/"; fi
done
cd "$1/$2"
for one in * .[!.]* ..?*; do
  if [ -e "$one" ] || [ -L "$one" ]; then mv "$one" "$1/"; fi
done
cd "$1"
rm -rf "$2" "$2.gone"`;

/** In volumes of an engine, which a container of ours looks into that has nothing else and no network. */
export function createEngineContents(parts: EngineContentsParts): Contents {
  const { engine, platform, image, folders, walls, diskMb, log } = parts;
  const trash = createTrash(folders.trash, log);
  const unpack = createUnpacking({ walls, trash, diskMb, log });
  const labelsOf = ({ applicationId, environmentId }: VolumeName) => ({
    ...{ [PLATFORM]: platform(), [APPLICATION]: applicationId, [ENVIRONMENT]: environmentId },
  });
  const isThere = async (volume: VolumeName, signal: AbortSignal): Promise<boolean> => {
    const labels = { ...labelsOf(volume), [VOLUME]: volume.name };
    return (await engine.volumes(labels, signal)).length > 0;
  };

  /** Opens a container that has the volume, by whose name `exec` and the like are asked. */
  const open = async (volume: VolumeName, signal: AbortSignal) => {
    const hand = `simcha-hand-${newId()}`;
    const Source = volumeOf(volume, volume.name);
    const close = () =>
      engine
        .remove(hand, NEVER)
        .catch((error) => log.warn({ err: error }, 'a container could not be removed'));
    await engine.createVolume(Source, { ...labelsOf(volume), [VOLUME]: volume.name }, signal);
    try {
      await engine.create(
        hand,
        {
          ...{ Image: await image(signal), Entrypoint: WAIT, Cmd: [], User: '0:0' },
          Labels: { ...labelsOf(volume), [KIND]: 'hand' },
          HostConfig: {
            ...{ NetworkMode: 'none', Memory: 256 * 2 ** 20, PidsLimit: 50 },
            // Folders that their owner closed are part of it.
            ...{ CapDrop: ['ALL'], CapAdd: ['DAC_OVERRIDE', 'FOWNER'], SecurityOpt: ['no-new-privileges'] },
            Mounts: [{ Type: 'volume', Source, Target: AT }],
          },
        },
        signal,
      );
      await engine.start(hand, signal);
    } catch (error) {
      await close();
      throw error;
    }
    return { hand, close };
  };

  const run = async (hand: string, script: string, words: readonly string[], signal: AbortSignal) => {
    const order = { Cmd: scriptOf(script, words), User: '0:0' };
    const { code, said } = await runIn(engine, hand, order, signal);
    if (code !== 0) throw new Error(`a volume's command ended with ${code}: ${said}`);
    return said;
  };

  return {
    async size(volume, signal) {
      try {
        if (!(await isThere(volume, signal))) return 0;
        const { hand, close } = await open(volume, signal);
        try {
          const said = await run(hand, 'du -skx "$1"', [AT], signal);
          return Number.parseInt(said, 10) * KIBIBYTE;
        } finally {
          await close();
        }
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'a volume could not be measured');
        return null;
      }
    },

    async backup(volume) {
      const signal = AbortSignal.timeout(LONGEST_MS);
      const { hand, close } = await open(volume, signal);
      const archive = await engine.files(hand, AT, signal).catch(async (error) => {
        await close();
        throw error;
      });
      if (!archive) {
        await close();
        throw new Error('a volume is not where it was mounted');
      }
      const content = contentOf(archive, (name) => !name.startsWith(OURS));
      content.once('close', () => void close());
      return content;
    },

    async unpack(volume, archive) {
      const signal = AbortSignal.timeout(LONGEST_MS);
      const staged = `${folders.volume(volume, volume.name)}.${newId()}`;
      const name = `${OURS}${newId()}`;
      await unpack(archive, staged);
      let opened: Awaited<ReturnType<typeof open>> | undefined;
      const drop = async () => {
        if (!opened) return;
        await run(opened.hand, 'rm -rf "$1"', [`${AT}/${name}`], signal).catch((error) =>
          log.warn({ err: error }, 'what was to be in a volume could not be removed'),
        );
        await opened.close();
      };
      try {
        opened = await open(volume, signal);
        await run(opened.hand, `rm -rf "$1"/${OURS}* && mkdir "$1/$2"`, [AT, name], signal);
        await engine.putFiles(opened.hand, '/', treeOf(staged, `${AT}/${name}`, SITE_USER), signal);
      } catch (error) {
        await drop();
        throw error;
      } finally {
        await trash.discard(staged, NEVER);
      }
      const { hand, close } = opened;
      return {
        async swap() {
          await run(hand, SWAP, [AT, name], signal);
          await close();
        },
        drop,
      };
    },

    /** It is made again by whatever runs with it next. */
    empty: (volume) => engine.removeVolume(volumeOf(volume, volume.name), AbortSignal.timeout(LONGEST_MS)),

    close: () => trash.close(),
  };
}
