import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { creationTimeOf, isUuid, newId } from '../identifiers.ts';
import { compileMail } from './compile.ts';
import type { MailContent } from './message.ts';
import type { Transport } from './transport.ts';

const MOST_MAILS = 500;
/** Age after which an incomplete file in the outbox is abandoned: the server that wrote it was killed. */
const LONGEST_WRITE_MS = 3_600_000;

export interface StoredMail extends MailContent {
  id: string;
}

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Mail stored in `<dataDir>/outbox` instead of being sent: `<id>.eml` for mail programs, `<id>.json` for our own page.
 */
export function createOutbox(dataDir: string) {
  const folder = join(dataDir, 'outbox');

  /** Ids of the mails in the outbox, the newest mail first. The ids are UUID v7, which sort by time. */
  const idsAmong = (names: readonly string[]): string[] => {
    const stems = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));
    return stems.filter(isUuid).sort().reverse();
  };

  const read = async (id: string): Promise<StoredMail | undefined> => {
    if (!isUuid(id)) return undefined;
    try {
      return { ...JSON.parse(await readFile(join(folder, `${id}.json`), 'utf8')), id };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };

  return {
    folder,
    read,
    async newest(most: number): Promise<StoredMail[]> {
      const mails = await Promise.all(
        idsAmong(await readdir(folder).catch(() => []))
          .slice(0, most)
          .map(read),
      );
      return mails.filter((mail) => mail !== undefined);
    },
    transport(from: string): Transport {
      const composer = createTransport({ streamTransport: true, buffer: true });
      return {
        destination: folder,
        async deliver(id, content) {
          const { message } = await composer.sendMail(compileMail(id, from, content));
          await mkdir(folder, { recursive: true, mode: 0o700 });
          await put(`${id}.eml`, message as Buffer);
          await put(`${id}.json`, JSON.stringify(content));
          await sweep();
        },
        close() {},
      };
    },
  };

  /** Removes mails beyond the maximum number, and incomplete files that a killed server has left. */
  async function sweep(): Promise<void> {
    const names = await readdir(folder);
    const drafts = names.filter((name) => name.startsWith('.') && isUuid(name.slice(1)));
    const left = drafts.filter((name) => Date.now() - creationTimeOf(name.slice(1)) > LONGEST_WRITE_MS);
    const old = idsAmong(names)
      .slice(MOST_MAILS)
      .flatMap((id) => [`${id}.eml`, `${id}.json`]);
    for (const name of [...left, ...old]) await rm(join(folder, name), { force: true });
  }

  /** Writes a mail's file atomically, even if the same mail is delivered twice at once. */
  async function put(name: string, content: Buffer | string): Promise<void> {
    const draft = join(folder, `.${newId()}`);
    try {
      await writeFile(draft, content, { mode: 0o600 });
      await rename(draft, join(folder, name));
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {});
      throw error;
    }
  }
}
