import type { Command } from 'commander';
import {
  createWebhook,
  deleteWebhook,
  idempotencyKey,
  listWebhookDeliveries,
  listWebhooks,
  type NewWebhook,
  readWebhookDelivery,
  replayFailedWebhookDeliveries,
  replayWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
  type Webhook,
  type WebhookDelivery,
} from 'simcha-client';
import { findApplication } from '../applications.ts';
import { CommandError, usageError } from '../errors.ts';
import { idOfEvent } from '../events.ts';
import { EXIT } from '../exit-codes.ts';
import type { Output } from '../output/output.ts';
import { duration, spanOf, timeAgo } from '../output/time.ts';
import { confirm } from '../prompts.ts';
import type { Server } from '../server.ts';
import { begin, type CommandOf } from './begin.ts';

interface NewWebhookOptions {
  kind: string[];
  app?: string;
  event?: string;
  description?: string;
}

const NAMED = 'its id, its address or a part of the address';

export function defineWebhookCommands(commandOf: CommandOf): void {
  const webhooks = commandOf('webhooks');
  webhooks
    .command('list', { isDefault: true })
    .description('List your webhooks.')
    .action(async (_options, command: Command) => {
      const { output, server } = await begin(command);
      const { data } = await listWebhooks({ client: server.client });
      output.result(data, (list) => tableOfWebhooks(list.webhooks, output));
      if (data.webhooks.length === 0)
        output.hint('There is none: simcha webhooks add <url> --kind deployment.failed');
    });
  webhooks
    .command('add')
    .description('Create a webhook, and print its secret this once.')
    .argument('<url>', 'the https address to which messages are posted')
    .requiredOption('--kind <kinds...>', 'The messages that it receives, such as site.down or guest.added.')
    .option('-a, --app <name>', 'Only messages about this application.')
    .option('--event <title>', 'Only messages about this event.')
    .option('--description <text>', 'What it is for.')
    .action(async (url: string, _options, command: Command) => add(url, command));
  aboutWebhook(webhooks.command('show'))
    .description('Print a webhook.')
    .action(async (named: string, _options, command: Command) => {
      const { output, server } = await begin(command);
      const webhook = await findWebhook(server, named);
      output.result(webhook, () => pairsOfWebhook(webhook, output));
    });
  aboutWebhook(webhooks.command('remove'))
    .description('Delete a webhook, with its log.')
    .option('--yes', 'Don’t ask.')
    .action(async (named: string, _options, command: Command) => {
      const { options, output, server } = await begin<{ yes?: boolean }>(command);
      const { id, url } = await findWebhook(server, named);
      if (!options.yes) await confirm(`Delete the webhook to ${url}?`);
      await deleteWebhook({ client: server.client, path: { webhook: id } });
      output.note(`Deleted the webhook to ${url}.`);
    });
  aboutWebhook(webhooks.command('test'))
    .description('Send a test message now.')
    .action(async (named: string, _options, command: Command) => test(named, command));
  aboutWebhook(webhooks.command('rotate'))
    .description('Replace the secret; for 24 hours messages are signed with both.')
    .option('--yes', 'Don’t ask.')
    .action(async (named: string, _options, command: Command) => {
      const { options, output, server } = await begin<{ yes?: boolean }>(command);
      const { id, url } = await findWebhook(server, named);
      if (!options.yes) await confirm(`Replace the secret of the webhook to ${url}?`);
      const path = { webhook: id };
      const { data } = await rotateWebhookSecret({ client: server.client, path, headers: idempotencyKey() });
      output.result(data, ({ secret }) => secret);
    });
  defineDeliveryCommands(webhooks);
}

function defineDeliveryCommands(webhooks: Command): void {
  aboutWebhook(webhooks.command('deliveries'))
    .description('List deliveries, newest first, or print one with its message.')
    .argument('[delivery]', 'its number')
    .option('--state <state>', 'waiting, succeeded or failed')
    .option('--limit <number>', 'How many.', '20')
    .action(async (named: string, delivery: string | undefined, _options, command: Command) => {
      const { output, server } = await begin(command);
      const { id } = await findWebhook(server, named);
      if (delivery === undefined) return listDeliveries(id, command);
      const path = { webhook: id, delivery };
      const { data } = await readWebhookDelivery({ client: server.client, path });
      output.result(
        data,
        (one) => `${pairsOfDelivery(one, output)}\n\n${JSON.stringify(one.payload, null, 2)}`,
      );
    });
  aboutWebhook(webhooks.command('replay'))
    .description('Send a message again, or all that failed since a time.')
    .argument('[delivery]', 'the number of a delivery')
    .option('--since <time>', 'All that failed since then: 2h, or a time such as 2027-06-15T19:30Z.')
    .action(async (named: string, delivery: string | undefined, _options, command: Command) =>
      replay(named, delivery, command),
    );
}

function aboutWebhook(command: Command): Command {
  return command.argument('<webhook>', NAMED);
}

async function add(url: string, command: Command): Promise<void> {
  const { options, output, server } = await begin<NewWebhookOptions>(command);
  const { kind, app, event, description } = options;
  const body: NewWebhook = {
    url,
    kinds: kind.flatMap((text) => text.split(',')) as NewWebhook['kinds'],
    ...(description !== undefined && { description }),
    ...(app !== undefined && { application_id: (await findApplication(server, app)).application_uuid }),
    ...(event !== undefined && { event_id: await idOfEvent(server, event) }),
  };
  const { data } = await createWebhook({ client: server.client, headers: idempotencyKey(), body });
  output.result(data, ({ secret }) => secret);
  output.hint(`The secret is not shown again. Try it: simcha webhooks test ${data.id}`);
}

async function test(named: string, command: Command): Promise<void> {
  const { output, server } = await begin(command);
  const { id } = await findWebhook(server, named);
  const { data } = await testWebhook({
    client: server.client,
    path: { webhook: id },
    headers: idempotencyKey(),
  });
  output.result(data, (delivery) => pairsOfDelivery(delivery, output));
  if (data.state === 'failed') process.exitCode = EXIT.failed;
}

async function listDeliveries(webhook: string, command: Command): Promise<void> {
  const { options, output, server } = await begin<{ state?: WebhookDelivery['state']; limit: string }>(
    command,
  );
  const { state, limit } = options;
  const { data } = await listWebhookDeliveries({
    client: server.client,
    path: { webhook },
    query: { limit: Number(limit), ...(state && { state }) },
  });
  output.result(data, ({ deliveries }) => tableOfDeliveries(deliveries, output));
  if (data.deliveries.length === 0) output.hint(`None yet. Try it: simcha webhooks test ${webhook}`);
}

async function replay(named: string, delivery: string | undefined, command: Command): Promise<void> {
  const { options, output, server } = await begin<{ since?: string }>(command);
  const { since } = options;
  if ((since === undefined) === (delivery === undefined))
    throw usageError('Pass the number of a delivery, or --since.');
  const { id: webhook } = await findWebhook(server, named);
  const common = { client: server.client, headers: idempotencyKey() };
  if (delivery !== undefined) {
    const { data } = await replayWebhookDelivery({ ...common, path: { webhook, delivery } });
    output.result(data, (one) => pairsOfDelivery(one, output));
    return;
  }
  const body = { since: timeOf(since ?? '') };
  const { data } = await replayFailedWebhookDeliveries({ ...common, path: { webhook }, body });
  output.result(data, ({ replayed }) => `${replayed} sent again`);
}

function timeOf(text: string): string {
  const span = spanOf(text);
  const instant = span === undefined ? Date.parse(text) : Date.now() - span;
  if (Number.isNaN(instant))
    throw usageError(`--since is "${text}"; expected 2h, or a time such as 2027-06-15T19:30Z.`);
  return new Date(instant).toISOString();
}

/** Webhook with this id or address, or the only one whose address has this part. */
async function findWebhook({ client }: Server, named: string): Promise<Webhook> {
  const { webhooks } = (await listWebhooks({ client })).data;
  const exact = webhooks.filter(({ id, url }) => id === named || url === named);
  const found = exact.length > 0 ? exact : webhooks.filter(({ url }) => url.includes(named));
  const [chosen, other] = found;
  if (chosen && !other) return chosen;
  if (!chosen)
    throw new CommandError(`There is no webhook "${named}".`, {
      hint: 'List them: simcha webhooks',
      exitCode: EXIT.notFound,
    });
  const list = found.map(({ id, url }) => `  ${id}  ${url}`);
  throw usageError(`Several webhooks fit "${named}":\n${list.join('\n')}`, 'Pass the id of one.');
}

function stateOf({ enabled, disabled_reason, failing_since }: Webhook): string {
  if (!enabled) return disabled_reason ? `off (${disabled_reason})` : 'off';
  return failing_since ? 'failing' : 'on';
}

function tableOfWebhooks(webhooks: readonly Webhook[], output: Output): string {
  return output.table(
    [
      { heading: 'id', text: ({ id }) => id },
      { heading: 'address', text: ({ url }) => url, canShrink: true },
      { heading: 'state', text: stateOf },
      { heading: 'kinds', text: ({ kinds }) => kinds.join(', '), canShrink: true },
      {
        heading: 'only',
        text: ({ application_id, event_id }) => application_id ?? event_id ?? '',
        canShrink: true,
      },
      { heading: 'description', text: ({ description }) => description, canShrink: true },
    ],
    webhooks,
  );
}

function pairsOfWebhook(webhook: Webhook, output: Output): string {
  const { id, url, kinds, description, application_id, event_id, created_at, failing_since } = webhook;
  return output.pairs([
    ['id', id],
    ['address', url],
    ['state', stateOf(webhook)],
    ['failing since', failing_since ?? undefined],
    ['kinds', kinds.join(', ')],
    ['only', application_id ?? event_id ?? undefined],
    ['description', description || undefined],
    ['created', output.time(created_at, timeAgo)],
  ]);
}

function tableOfDeliveries(deliveries: readonly WebhookDelivery[], output: Output): string {
  return output.table(
    [
      { heading: 'number', text: ({ id }) => id, isRight: true },
      { heading: 'kind', text: ({ kind }) => kind },
      {
        heading: 'state',
        text: ({ state }) => state,
        style: (text, { state }) => output.status(text, state),
      },
      { heading: 'answer', text: resultOf },
      { heading: 'tries', text: ({ tries }) => String(tries), isRight: true },
      { heading: 'created', text: ({ created_at }) => output.time(created_at, timeAgo) },
    ],
    deliveries,
  );
}

function pairsOfDelivery(delivery: WebhookDelivery, output: Output): string {
  const { id, kind, state, tries, duration_ms, answer, next_try_at } = delivery;
  // A message that is sent again still has the answer of its former try.
  const isTried = tries > 0 || state !== 'waiting';
  return output.pairs([
    ['number', id],
    ['kind', kind],
    ['state', output.status(state)],
    ['answer', (isTried && resultOf(delivery)) || undefined],
    ['took', isTried && duration_ms !== null ? duration(duration_ms) : undefined],
    ['tries', String(tries)],
    ['next try', next_try_at ?? undefined],
    ['body', (isTried && answer) || undefined],
  ]);
}

/** Status of the last answer, or what kept the message from its endpoint. */
function resultOf({ status, problem }: WebhookDelivery): string {
  return status === null ? (problem ?? '').replaceAll('_', ' ') : String(status);
}
