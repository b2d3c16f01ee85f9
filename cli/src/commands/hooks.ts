import type { Command } from 'commander';
import {
  createDeployKey,
  type HookDelivery,
  idempotencyKey,
  listHookDeliveries,
  readHook,
  renewHook,
} from 'simcha-client';
import type { Output } from '../output/output.ts';
import { timeAgo } from '../output/time.ts';
import { confirm } from '../prompts.ts';
import { aboutApplication, beginWithApplication, type CommandOf } from './begin.ts';

export function defineHookCommands(commandOf: CommandOf): void {
  aboutApplication(commandOf('deploy-key'))
    .option('--renew', 'Replace the key; the former one no longer reads the repository.')
    .action(async (_options, command: Command) => {
      const { options, output, client, path, application } = await beginWithApplication<{ renew?: boolean }>(
        command,
      );
      const key =
        options.renew || application.deploy_key === null
          ? (await createDeployKey({ client, path, headers: idempotencyKey() })).data.deploy_key
          : application.deploy_key;
      output.result({ application_uuid: application.application_uuid, deploy_key: key }, () => String(key));
      output.hint('Add it at the repository’s host, with read access.');
    });
  aboutApplication(commandOf('hook'))
    .option('--renew', 'Replace the secret.')
    .option('--yes', 'Don’t ask.')
    .option('--deliveries', 'List the last deliveries, and what followed from each.')
    .action(async (_options, command: Command) => {
      const { options, output, client, path } = await beginWithApplication<{
        renew?: boolean;
        yes?: boolean;
        deliveries?: boolean;
      }>(command);
      if (options.deliveries) {
        const { data } = await listHookDeliveries({ client, path });
        output.result(data, ({ deliveries }) => tableOfDeliveries(deliveries, output));
        if (data.deliveries.length === 0)
          output.hint('Nothing was delivered yet. What to add at the repository’s host: simcha hook');
        return;
      }
      if (options.renew && !options.yes)
        await confirm('Replace the secret? Pushes with the former one are refused.');
      const { data } = options.renew
        ? await renewHook({ client, path, headers: idempotencyKey() })
        : await readHook({ client, path });
      output.result(data, ({ url, secret }) =>
        output.pairs([
          ['address', url],
          ['secret', secret],
        ]),
      );
      output.hint('Add both as a webhook for pushes at the repository’s host: each push is then deployed.');
    });
}

function tableOfDeliveries(deliveries: readonly HookDelivery[], output: Output): string {
  return output.table(
    [
      { heading: 'received', text: ({ received_at }) => output.time(received_at, timeAgo) },
      { heading: 'result', text: ({ status }) => status },
      { heading: 'branch', text: ({ branch }) => branch ?? '', canShrink: true },
      { heading: 'preview', text: ({ preview }) => preview ?? '' },
      { heading: 'why', text: ({ reason }) => reason ?? '' },
      { heading: 'changed', text: ({ changed }) => (changed === null ? '' : String(changed)), isRight: true },
    ],
    deliveries,
  );
}
