import type { Command } from 'commander';
import { idempotencyKey, listPreviews, openPreview, type Preview, removePreview } from 'simcha-client';
import type { Output } from '../output/output.ts';
import { timeAgo } from '../output/time.ts';
import { confirm } from '../prompts.ts';
import { aboutApplication, beginWithApplication, type CommandOf } from './begin.ts';

export function definePreviewCommands(commandOf: CommandOf): void {
  const previews = commandOf('previews');
  aboutApplication(previews.command('list', { isDefault: true }))
    .description('List the previews of an application.')
    .action(async (_options, command: Command) => {
      const { output, client, path } = await beginWithApplication(command);
      const { data } = await listPreviews({ client, path });
      output.result(data, (list) => tableOfPreviews(list.previews, output));
      if (data.previews.length === 0) output.hint('There is none: simcha previews create <branch>');
    });
  aboutApplication(previews.command('create'))
    .description('Create a preview of a branch, and deploy it.')
    .argument('<branch>')
    .action(async (branch: string, _options, command: Command) => {
      const { output, client, path } = await beginWithApplication(command);
      const { data } = await openPreview({ client, path, headers: idempotencyKey(), body: { branch } });
      output.result(data, ({ name, domain }) => `Created the preview ${name}: ${domain}`);
      output.hint(`Its deployments: simcha releases --preview ${data.name}`);
    });
  aboutApplication(previews.command('remove'))
    .description('Remove a preview, its files and variables.')
    .argument('<name>')
    .option('--yes', 'Don’t ask.')
    .action(async (name: string, _options, command: Command) => {
      const { options, output, client, path } = await beginWithApplication<{ yes?: boolean }>(command);
      if (!options.yes) await confirm(`Remove the preview ${name}, its files and variables?`);
      await removePreview({ client, path: { ...path, name } });
      output.note(`Removed ${name}.`);
    });
}

function tableOfPreviews(previews: readonly Preview[], output: Output): string {
  return output.table(
    [
      { heading: 'name', text: ({ name }) => name, canShrink: true },
      {
        heading: 'status',
        text: ({ status }) => status,
        style: (text, { status }) => output.status(text, status),
      },
      { heading: 'branch', text: ({ branch }) => branch, canShrink: true },
      { heading: 'address', text: ({ domain }) => domain, canShrink: true },
      { heading: 'visited', text: ({ visited_at }) => output.time(visited_at, timeAgo) },
    ],
    previews,
  );
}
