import type { Command } from 'commander';
import {
  type AccessToken,
  createToken,
  idempotencyKey,
  listTokens,
  type NewAccessToken,
  revokeToken,
} from 'simcha-client';
import { findApplication } from '../applications.ts';
import { CommandError, usageError } from '../errors.ts';
import { idOfEvent } from '../events.ts';
import { EXIT } from '../exit-codes.ts';
import type { Output } from '../output/output.ts';
import { spanOf, timeAgo } from '../output/time.ts';
import { begin, type CommandOf } from './begin.ts';

interface NewTokenOptions {
  scope: string[];
  app?: string;
  event?: string;
  expires?: string;
}

const SCOPES = 'full, read, deploy, env, guests, messages or door';

export function defineTokenCommands(commandOf: CommandOf): void {
  const tokens = commandOf('tokens');
  tokens
    .command('list', { isDefault: true })
    .description('List your tokens.')
    .action(async (_options, command: Command) => {
      const { output, server } = await begin(command);
      const { data } = await listTokens({ client: server.client });
      output.result(data, (list) => tableOfTokens(list.tokens, output));
    });
  tokens
    .command('create')
    .description('Create a token, and print it this once.')
    .argument('<name>', 'what it is for, such as CI')
    .option('--scope <scopes...>', `What it allows: ${SCOPES}.`, ['full'])
    .option('-a, --app <name>', 'Only this application.')
    .option('--event <title>', 'Only this event.')
    .option('--expires <time>', 'Its end: 90d, or a time such as 2027-06-15T19:30Z.')
    .action(async (name: string, _options, command: Command) => create(name, command));
  tokens
    .command('revoke')
    .description('Revoke a token, at once on every server.')
    .argument('<token>', 'its name, its id or its first characters')
    .action(async (named: string, _options, command: Command) => {
      const { output, server } = await begin(command);
      const { data } = await listTokens({ client: server.client });
      const { id, name } = chooseToken(data.tokens, named);
      await revokeToken({ client: server.client, path: { id } });
      output.note(`Revoked ${output.name(name)}.`);
    });
}

async function create(name: string, command: Command): Promise<void> {
  const { options, output, server } = await begin<NewTokenOptions>(command);
  const { scope, app, event, expires } = options;
  const body: NewAccessToken = {
    name,
    scopes: scope.flatMap((text) => text.split(',')) as NonNullable<NewAccessToken['scopes']>,
    ...(app !== undefined && { application_id: (await findApplication(server, app)).application_uuid }),
    ...(event !== undefined && { event_id: await idOfEvent(server, event) }),
    ...(expires !== undefined && { expires_at: endOf(expires) }),
  };
  const { data } = await createToken({ client: server.client, headers: idempotencyKey(), body });
  output.result(data, ({ token }) => token);
  output.hint('It is not shown again. In CI: SIMCHA_TOKEN, with SIMCHA_URL.');
}

function endOf(text: string): string {
  const span = spanOf(text);
  const instant = span === undefined ? Date.parse(text) : Date.now() + span;
  if (Number.isNaN(instant))
    throw usageError(`--expires is "${text}"; expected 90d, or a time such as 2027-06-15T19:30Z.`);
  return new Date(instant).toISOString();
}

function tableOfTokens(tokens: readonly AccessToken[], output: Output): string {
  const restriction = ({ application_id, event_id }: AccessToken) => application_id ?? event_id ?? '';
  return output.table(
    [
      { heading: 'name', text: ({ name }) => name, canShrink: true },
      { heading: 'token', text: ({ hint }) => `${hint}…` },
      { heading: 'scopes', text: ({ scopes }) => scopes.join(', ') },
      { heading: 'only', text: restriction, canShrink: true },
      { heading: 'used', text: ({ last_used_at }) => output.time(last_used_at, timeAgo) },
      { heading: 'created', text: ({ created_at }) => output.time(created_at, timeAgo) },
      { heading: 'ends', text: ({ expires_at }) => output.time(expires_at, (at) => at.slice(0, 10)) },
    ],
    tokens,
  );
}

/** Token with this id, name or beginning. Throws if there is none, or several. */
function chooseToken(tokens: readonly AccessToken[], named: string): AccessToken {
  const found = tokens.filter(
    ({ id, name, hint }) =>
      id === named || name === named || (named.startsWith('sk_') && named.startsWith(hint)),
  );
  const [chosen, other] = found;
  if (chosen && !other) return chosen;
  if (!chosen)
    throw new CommandError(`There is no token "${named}".`, {
      hint: 'List them: simcha tokens',
      exitCode: EXIT.notFound,
    });
  const list = found.map(({ id, hint, created_at }) => `  ${id}  ${hint}…  ${created_at}`);
  throw usageError(`Several tokens are named "${named}":\n${list.join('\n')}`, 'Pass the id of one.');
}
