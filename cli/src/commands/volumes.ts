import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import {
  addVolume,
  backUpVolume,
  emptyVolume,
  idempotencyKey,
  listVolumes,
  removeVolume,
  restoreVolume,
} from 'simcha-client';
import { fileAsBlob } from '../file-blob.ts';
import { bytesText, timeAgo } from '../output/time.ts';
import { confirm } from '../prompts.ts';
import { aboutApplication, beginWithApplication, type CommandOf } from './begin.ts';

interface Sure {
  yes?: boolean;
}

export function defineVolumeCommands(commandOf: CommandOf): void {
  const volumes = commandOf('volumes');
  aboutApplication(volumes.command('list', { isDefault: true }))
    .description('List the volumes of an application.')
    .action(async (_options, command: Command) => list(command));
  aboutApplication(volumes.command('add'))
    .description('Add a folder that outlives releases; it is there from the next start on.')
    .argument('<name>')
    .argument('<path>', 'path for the site’s processes, such as /data')
    .action(async (name: string, at: string, _options, command: Command) => {
      const { output, client, path } = await beginWithApplication(command);
      const { data } = await addVolume({ client, path, headers: idempotencyKey(), body: { name, path: at } });
      output.result(data, () => `Added ${name} at ${at}, from the next start on: simcha restart`);
    });
  aboutApplication(volumes.command('backup'))
    .description('Save a volume as a tar archive.')
    .argument('<name>')
    .argument('[file]', 'its path, or - for stdout; otherwise <name>.tar')
    .action(async (name: string, file: string | undefined, _options, command: Command) =>
      backUp(name, file ?? `${name}.tar`, command),
    );
  sure(volumes.command('restore'))
    .description('Replace the content of a volume by a tar archive; the site must be stopped.')
    .argument('<name>')
    .argument('<file>', 'its path')
    .action(async (name: string, file: string, _options, command: Command) => restore(name, file, command));
  sure(volumes.command('empty'))
    .description('Delete the content of a volume; the site must be stopped.')
    .argument('<name>')
    .action(async (name: string, _options, command: Command) => {
      const { options, output, client, path } = await beginWithApplication<Sure>(command);
      if (!options.yes) await confirm(`Delete all that is in the volume ${name}?`);
      const { data } = await emptyVolume({ client, path: { ...path, name }, headers: idempotencyKey() });
      output.result(data, () => `Emptied ${name}.`);
    });
  sure(volumes.command('remove'))
    .description('Remove a volume and its content; the site must be stopped.')
    .argument('<name>')
    .action(async (name: string, _options, command: Command) => {
      const { options, output, client, path } = await beginWithApplication<Sure>(command);
      if (!options.yes) await confirm(`Remove the volume ${name} and all that is in it?`);
      await removeVolume({ client, path: { ...path, name } });
      output.note(`Removed ${name}.`);
    });
}

function sure(command: Command): Command {
  return aboutApplication(command).option('--yes', 'Don’t ask.');
}

async function list(command: Command): Promise<void> {
  const { output, client, path } = await beginWithApplication(command);
  const { data } = await listVolumes({ client, path });
  const size = (bytes: number | null) => {
    if (bytes === null) return '';
    return output.stdout.isTerminal ? bytesText(bytes) : String(bytes);
  };
  output.result(data, ({ volumes }) =>
    output.table(
      [
        { heading: 'name', text: ({ name }) => name },
        { heading: 'path', text: ({ path: at }) => at, canShrink: true },
        { heading: 'size', text: ({ bytes }) => size(bytes), isRight: true },
        { heading: 'backed up', text: ({ backed_up_at }) => output.time(backed_up_at, timeAgo) },
        { heading: 'created', text: ({ created_at }) => output.time(created_at, timeAgo) },
      ],
      volumes,
    ),
  );
  if (data.volumes.length === 0) output.hint('There is none yet: simcha volumes add data /data');
}

async function backUp(name: string, file: string, command: Command): Promise<void> {
  const { output, client, path } = await beginWithApplication(command);
  const { data } = await backUpVolume({ client, path: { ...path, name }, parseAs: 'stream' });
  const content = Readable.fromWeb(data as unknown as Parameters<typeof Readable.fromWeb>[0]);
  if (file === '-') return pipeline(content, process.stdout, { end: false });
  await pipeline(content, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  output.note(`Saved ${name} to ${file}.`);
}

async function restore(name: string, file: string, command: Command): Promise<void> {
  const { options, output, client, path } = await beginWithApplication<Sure>(command);
  const body = await fileAsBlob(file, { type: 'application/x-tar' });
  if (!options.yes) await confirm(`Replace all that is in the volume ${name} by ${file}?`);
  const { data } = await restoreVolume({ client, path: { ...path, name }, body });
  output.result(data, () => `Restored ${name}. Start the site: simcha start`);
}
