import { newId } from '../../kernel/identifiers.ts';
import type { Logger } from '../../kernel/log.ts';
import type { SiteFolders } from '../builds/site-folders.ts';
import { createTrash } from '../builds/trash.ts';
import { contentOf, foldersOf, treeOf } from '../engine/archives.ts';
import { SITE_USER } from '../engine/site-containers.ts';
import type { Contents } from './contents.ts';
import { AT, type Hand, type Hands } from './hands.ts';
import { createUnpacking, type UnpackingParts } from './unpacking.ts';

export interface EngineContentsParts extends Pick<UnpackingParts, 'walls' | 'diskMb'> {
  hands: Hands;
  /** Where an archive is unpacked before the volume has it. */
  folders: SiteFolders;
  log: Logger;
}

/** What is on its way in or out of a volume, and belongs to no site. */
const OURS = '.simcha-';
const NEVER = new AbortController().signal;
/** Longer than that nothing is waited for. */
const LONGEST_MS = 600_000;
const KIBIBYTE = 1_024;

/** All that $1 holds is out of the way before what is in its folder $2 takes its place: names alone are changed. */
const SWAP = `set -e
cd "$1"
mkdir -p "$2.gone"
for one in * .[!.]* ..?*; do
  case $one in ${OURS}*) continue ;; esac
  if [ -e "$one" ] || [ -L "$one" ]; then mv "./$one" "$2.gone/"; fi
done
cd "$1/$2"
for one in * .[!.]* ..?*; do
  if [ -e "$one" ] || [ -L "$one" ]; then mv "./$one" "$1/"; fi
done
cd "$1"
rm -rf "$2" "$2.gone"`;

/** In volumes of an engine or a cluster, which a hand of ours looks into. */
export function createEngineContents(parts: EngineContentsParts): Contents {
  const { hands, folders, walls, diskMb, log } = parts;
  const trash = createTrash(folders.trash, log);
  const unpack = createUnpacking({ walls, trash, diskMb, log });

  return {
    async size(volume, signal) {
      try {
        if (!(await hands.isUsed(volume, signal))) return 0;
        const hand = await hands.open(volume, signal);
        try {
          const said = await hand.run('du -skx "$1"', [AT], signal);
          return Number.parseInt(said, 10) * KIBIBYTE;
        } finally {
          await hand.close();
        }
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'a volume could not be measured');
        return null;
      }
    },

    async backup(volume) {
      const signal = AbortSignal.timeout(LONGEST_MS);
      if (!(await hands.isUsed(volume, signal))) return foldersOf(['/.'], SITE_USER);
      const hand = await hands.open(volume, signal);
      const archive = await hand.read(signal).catch(async (error) => {
        await hand.close();
        throw error;
      });
      const content = contentOf(archive, (name) => !name.startsWith(OURS));
      content.once('close', () => void hand.close());
      return content;
    },

    async unpack(volume, archive) {
      const signal = AbortSignal.timeout(LONGEST_MS);
      const staged = `${folders.volume(volume, volume.name)}.${newId()}`;
      const name = `${OURS}${newId()}`;
      await unpack(archive, staged);
      let hand: Hand | undefined;
      const drop = async () => {
        if (!hand) return;
        await hand
          .run('rm -rf "$1"', [`${AT}/${name}`], signal)
          .catch((error) => log.warn({ err: error }, 'what was to be in a volume could not be removed'));
        await hand.close();
      };
      try {
        hand = await hands.open(volume, signal);
        await hand.run(`rm -rf "$1"/${OURS}* && mkdir "$1/$2"`, [AT, name], signal);
        await hand.put(treeOf(staged, `${AT}/${name}`, SITE_USER), signal);
      } catch (error) {
        await drop();
        throw error;
      } finally {
        await trash.discard(staged, NEVER);
      }
      const { run, close } = hand;
      return {
        async swap() {
          await run(SWAP, [AT, name], signal);
          await close();
        },
        drop,
      };
    },

    empty: (volume) => hands.empty(volume, AbortSignal.timeout(LONGEST_MS)),

    close: () => trash.close(),
  };
}
