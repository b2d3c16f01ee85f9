import type { Command } from 'commander';
import {
  createVariableGroup,
  deleteVariableGroup,
  idempotencyKey,
  linkVariableGroup,
  listVariableGroups,
  readVariableGroup,
  SimchaError,
  unlinkVariableGroup,
  updateVariableGroup,
  type VariableDefinition,
  type VariableGroup,
} from 'simcha-client';
import { CommandError } from '../errors.ts';
import { EXIT } from '../exit-codes.ts';
import type { Output } from '../output/output.ts';
import { confirm } from '../prompts.ts';
import { aboutApplication, begin, beginWithApplication } from './begin.ts';
import { HIDDEN } from './hidden-value.ts';
import {
  assignmentsOf,
  definitionChangesOf,
  type ScopeOptions,
  withScopeOptions,
} from './variable-arguments.ts';

/** Defines the commands of groups of variables that applications share, below `env`. */
export function defineGroupCommands(env: Command): void {
  const groups = env.command('groups').description('Groups of variables that applications share.');
  groups
    .command('list', { isDefault: true })
    .description('List your groups, their variables and the applications that they are linked to.')
    .action(async (_options, command: Command) => list(command));
  groups
    .command('show')
    .description('Show a group; the values of its variables are hidden on a terminal.')
    .argument('<group>')
    .option('--show', 'Show the values.')
    .action(async (group: string, _options, command: Command) => show(group, command));
  groups
    .command('create')
    .description('Create a group.')
    .argument('<group>', '1 to 63 of a-z, 0-9 and hyphens')
    .action(async (group: string, _options, command: Command) => create(group, command));
  groups
    .command('delete')
    .description('Delete a group; applications lose its variables.')
    .argument('<group>')
    .option('--yes', 'Don’t ask.')
    .action(async (group: string, _options, command: Command) => remove(group, command));
  withScopeOptions(groups.command('set'))
    .description('Set variables of a group: NAME=value, or NAME alone to type the value hidden.')
    .argument('<group>')
    .argument('<variables...>', 'NAME=value; NAME to be asked; NAME - to read the value from stdin')
    .action(async (group: string, variables: string[], _options, command: Command) =>
      set(group, variables, command),
    );
  groups
    .command('unset')
    .description('Delete variables of a group.')
    .argument('<group>')
    .argument('<names...>')
    .action(async (group: string, names: string[], _options, command: Command) =>
      change(group, Object.fromEntries(names.map((name) => [name, null])), 'deleted', command),
    );
  aboutApplication(groups.command('link'))
    .description('Link a group to an application; the group that was linked last overrides others.')
    .argument('<group>')
    .action(async (group: string, _options, command: Command) => link(group, command));
  aboutApplication(groups.command('unlink'))
    .description('Unlink a group from an application.')
    .argument('<group>')
    .action(async (group: string, _options, command: Command) => unlink(group, command));
}

async function list(command: Command): Promise<void> {
  const { output, server } = await begin(command);
  const { data } = await listVariableGroups({ client: server.client });
  output.result(data, ({ variable_groups: groups }) =>
    output.table(
      [
        { heading: 'group', text: ({ name }) => name },
        { heading: 'variables', text: (one) => one.variable_names.join(', ') },
        {
          heading: 'linked to',
          text: (one) => one.applications.map(({ subdomain }) => subdomain).join(', '),
        },
      ],
      groups,
    ),
  );
  if (data.variable_groups.length === 0) output.hint('There are no groups: simcha env groups create shared');
}

async function show(group: string, command: Command): Promise<void> {
  const { options, output, server } = await begin<{ show?: boolean }>(command);
  const { data } = await readVariableGroup({ client: server.client, path: { group } });
  const isHidden = output.stdout.isTerminal && !options.show;
  output.result(data, (found) => describe(found, isHidden, output));
  if (isHidden && Object.keys(data.variables).length > 0)
    output.hint('Values are hidden; --show prints them.');
}

function describe({ variables, applications }: VariableGroup, isHidden: boolean, output: Output): string {
  const shown = (value: string | null, otherwise: string) =>
    value === null ? otherwise : isHidden ? HIDDEN : value;
  const previews = ({ in_previews, preview_value }: VariableDefinition) =>
    in_previews ? shown(preview_value, 'same') : '(none)';
  const table = output.table(
    [
      { heading: 'name', text: ([name]) => name },
      { heading: 'value', text: ([, { value }]) => shown(value, '(none)'), canShrink: true },
      { heading: 'only', text: ([, { scope }]) => (scope === null || scope === 'all' ? '' : scope) },
      { heading: 'previews', text: ([, definition]) => previews(definition) },
    ],
    Object.entries(variables),
  );
  const linked = applications.map(({ subdomain }) => subdomain).join(', ');
  return [table, `Linked to: ${linked || 'no application'}`].filter(Boolean).join('\n');
}

async function create(name: string, command: Command): Promise<void> {
  const { output, server } = await begin(command);
  const { client } = server;
  const { data } = await createVariableGroup({ client, headers: idempotencyKey(), body: { name } });
  output.result(data, () => `Created ${name}.`);
  output.hint(`simcha env groups set ${name} NAME=value; simcha env groups link ${name}`);
}

async function remove(group: string, command: Command): Promise<void> {
  const { options, output, server } = await begin<{ yes?: boolean }>(command);
  const { client } = server;
  const { applications } = (await readVariableGroup({ client, path: { group } })).data;
  const linked = applications.map(({ subdomain }) => subdomain).join(', ');
  if (!options.yes) await confirm(`Delete ${group}${linked && `, which is linked to ${linked}`}?`);
  await deleteVariableGroup({ client, path: { group } });
  output.result({ deleted: group }, () => `Deleted ${group}.`);
}

async function set(group: string, words: readonly string[], command: Command): Promise<void> {
  const options = command.opts<ScopeOptions>();
  const variables = definitionChangesOf(await assignmentsOf(words), options);
  await change(group, variables, options.previews ? 'set for previews:' : 'set', command);
}

async function change(
  group: string,
  variables: ReturnType<typeof definitionChangesOf>,
  verb: string,
  command: Command,
): Promise<void> {
  const { output, server } = await begin(command);
  const { client } = server;
  const { data } = await updateVariableGroup({ client, path: { group }, body: { variables } }).catch(
    (error) => Promise.reject(groupErrorOf(error, group)),
  );
  output.result(data, () => `${group}: ${verb} ${Object.keys(variables).join(', ')}.`);
  if (data.applications.length > 0)
    output.hint('Its applications get them with their next deployment or restart.');
}

/** Error of a request about a group; for a group that does not exist, it says how to create it. */
function groupErrorOf(error: unknown, group: string): unknown {
  if (!(error instanceof SimchaError && error.status === 404)) return error;
  return new CommandError(error.message, {
    hint: `Create it: simcha env groups create ${group}`,
    exitCode: EXIT.notFound,
  });
}

async function link(group: string, command: Command): Promise<void> {
  const { output, client, path, application } = await beginWithApplication(command);
  const { data } = await linkVariableGroup({ client, path: { ...path, group } }).catch((error) =>
    Promise.reject(groupErrorOf(error, group)),
  );
  output.result(data, ({ groups }) => `${output.name(application.name)}: linked to ${groups.join(', ')}.`);
  output.hint('The site gets the variables with its next deployment or restart: simcha restart');
}

async function unlink(group: string, command: Command): Promise<void> {
  const { output, client, path, application } = await beginWithApplication(command);
  await unlinkVariableGroup({ client, path: { ...path, group } });
  output.result({ unlinked: group }, () => `${output.name(application.name)}: unlinked ${group}.`);
}
