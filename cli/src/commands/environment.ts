import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import {
  idempotencyKey,
  listVariableNames,
  readEnvironment,
  readVariables,
  restart,
  type SiteVariable,
  updateEnvironment,
  updateVariables,
} from 'simcha-client';
import { writePrivately } from '../config/private-file.ts';
import { CommandError, usageError } from '../errors.ts';
import { EXIT } from '../exit-codes.ts';
import type { Output } from '../output/output.ts';
import { confirm, readStdin } from '../prompts.ts';
import { readGivenValues, siteOf } from '../variables.ts';
import { aboutSite, beginWithApplication, type CommandOf } from './begin.ts';
import { reportRequest } from './deployments.ts';
import { dotenvOf, readDotenv } from './dotenv-file.ts';
import { HIDDEN } from './hidden-value.ts';
import {
  assignmentsOf,
  definitionChangesOf,
  type ScopeOptions,
  scopeChangeOf,
  type Variables,
  withScopeOptions,
} from './variable-arguments.ts';
import { defineGroupCommands } from './variable-groups.ts';

interface EnvOptions extends ScopeOptions {
  show?: boolean;
  restart?: boolean;
  follow?: boolean;
  yes?: boolean;
  replace?: boolean;
  dryRun?: boolean;
  force?: boolean;
  own?: boolean;
}

type BegunEnv = Awaited<ReturnType<typeof beginWithApplication<EnvOptions>>>;
/** Variables to set; null deletes one. */
type Changes = Record<string, string | null>;

export function defineEnvironmentCommands(commandOf: CommandOf): void {
  const env = commandOf('env');
  aboutSite(env.command('list', { isDefault: true }))
    .description('List variables with who gets them and who set them; values are hidden on a terminal.')
    .option('--show', 'Show the values.')
    .action(async (_options, command: Command) => list(await beginWithApplication<EnvOptions>(command)));
  aboutSite(env.command('get'))
    .description('Print the value of a variable.')
    .argument('<name>')
    .action(async (name: string, _options, command: Command) =>
      get(name, await beginWithApplication(command)),
    );
  withScopeOptions(changing(env.command('set')))
    .description('Set variables: NAME=value, or NAME alone to type the value hidden.')
    .argument('<variables...>', 'NAME=value; NAME to be asked; NAME - to read the value from stdin')
    .action(async (variables: string[], _options, command: Command) => {
      const begun = await beginWithApplication<EnvOptions>(command);
      const isPlain = scopeChangeOf(begun.options) === undefined;
      const values = await assignmentsOf(variables);
      await (isPlain ? change(begun, values) : changeDefinitions(begun, values));
    });
  changing(env.command('unset'))
    .description('Delete variables, or with --previews what previews get instead.')
    .argument('<names...>')
    .option('--previews', 'Previews get the same value as production again.')
    .action(async (names: string[], _options, command: Command) => {
      const begun = await beginWithApplication<EnvOptions>(command);
      if (begun.options.previews) return resetPreviews(begun, names);
      await change(begun, Object.fromEntries(names.map((name) => [name, null])));
    });
  changing(env.command('import'))
    .description('Set the variables of a .env file.')
    .argument('[file]', 'its path, or - for stdin', '.env')
    .option('--replace', 'Delete the variables that the file does not have.')
    .option('--dry-run', 'Only say what would change.')
    .option('--yes', 'Don’t ask before deleting variables.')
    .action(async (file: string, _options, command: Command) =>
      importFile(file, await beginWithApplication<EnvOptions>(command)),
    );
  aboutSite(env.command('pull'))
    .description('Write the variables that the site gets to a .env file that only you can read.')
    .argument('[file]', 'its path, or - for stdout', '.env')
    .option('--force', 'Replace the file.')
    .option('--own', 'Leave out variables of linked groups, and with --preview those of production.')
    .action(async (file: string, _options, command: Command) =>
      pull(file, await beginWithApplication<EnvOptions>(command)),
    );
  defineGroupCommands(env);
}

function changing(command: Command): Command {
  return aboutSite(command)
    .option('--restart', 'Restart the site, so that it gets the variables at once.')
    .option('-f, --follow', 'With --restart: wait until the site has restarted.');
}

async function readOwnValues({ client, path, query }: BegunEnv): Promise<Variables> {
  return (await readEnvironment({ client, path, query })).data.env;
}

async function list(begun: BegunEnv): Promise<void> {
  const { options, output, client, path, query, application } = begun;
  if (application.role === 'look' || application.role === 'deploy') return listNames(begun);
  const { data } = await readVariables({ client, path, query });
  const site = siteOf(options.preview);
  const isHidden = output.stdout.isTerminal && !options.show;
  output.result(data, ({ variables }) => tableOfVariables(variables, { site, isHidden, output }));
  if (data.variables.length === 0) output.hint('There are no variables: simcha env set NAME=value');
  else if (isHidden) output.hint('Values are hidden; --show prints them.');
}

/** Lists the names of the site's own variables, for a role that may not read the values. */
async function listNames({ output, client, path, query, application }: BegunEnv): Promise<void> {
  const { data } = await listVariableNames({ client, path, query });
  output.result(data, ({ names }) => names.join('\n'));
  if (data.names.length === 0) output.hint('There are no variables.');
  else output.hint(`These are only the names: your role is ${application.role}, and values need administer.`);
}

const SCOPES: Readonly<Record<SiteVariable['scope'], string>> = { all: '', build: 'build', run: 'run' };

function tableOfVariables(
  variables: readonly SiteVariable[],
  { site, isHidden, output }: { site: 'production' | 'previews'; isHidden: boolean; output: Output },
): string {
  const shown = (value: string) => (isHidden ? HIDDEN : value);
  return output.table(
    [
      { heading: 'name', text: ({ name }) => name },
      {
        heading: 'value',
        text: ({ [site]: given }) => (given ? shown(given.value) : '(none)'),
        canShrink: true,
      },
      { heading: 'only', text: ({ scope }) => SCOPES[scope] },
      { heading: 'from', text: ({ [site]: given }) => originOf(given) },
      ...(site === 'production'
        ? [{ heading: 'previews', text: (variable: SiteVariable) => previewsOf(variable, shown) }]
        : []),
    ],
    variables,
  );
}

/** Place where a value was set; empty for the application itself. */
function originOf(given: SiteVariable['production']): string {
  if (given === null) return '';
  const { from, group } = given;
  if (group !== null) return `group ${group}`;
  return from === 'preview' ? 'preview' : '';
}

/** What previews get, if that is not production's value. */
function previewsOf({ production, previews }: SiteVariable, shown: (value: string) => string): string {
  if (previews === null) return '(none)';
  const isOther = previews.from.endsWith('_previews') || previews.value !== production?.value;
  return isOther ? shown(previews.value) : 'same';
}

async function get(name: string, begun: BegunEnv): Promise<void> {
  const value = (await readGivenValues(begun))[name];
  if (value === undefined)
    throw new CommandError(`There is no variable ${name}.`, { exitCode: EXIT.notFound });
  begun.output.result({ [name]: value }, () => begun.output.line(value));
}

/** Changes variables, says what changed, and restarts the site if asked for. */
async function change(begun: BegunEnv, env: Changes): Promise<void> {
  const { client, path, query } = begun;
  const { data } = await updateEnvironment({ client, path, query, body: env });
  const set = Object.keys(env).filter((name) => env[name] !== null);
  const unset = Object.keys(env).filter((name) => env[name] === null);
  const done = [
    ...(set.length > 0 ? [`set ${set.join(', ')}`] : []),
    ...(unset.length > 0 ? [`deleted ${unset.join(', ')}`] : []),
  ].join('; ');
  await finish(begun, data, done || 'nothing changed');
}

/** Sets variables with their scopes, or their values for previews. */
async function changeDefinitions(begun: BegunEnv, values: Variables): Promise<void> {
  const { options, client, path } = begun;
  requireNoPreview(begun);
  const { data } = await updateVariables({ client, path, body: definitionChangesOf(values, options) });
  const names = Object.keys(values).join(', ');
  await finish(begun, data, `set ${names}${options.previews ? ' for previews' : ''}`);
}

async function resetPreviews(begun: BegunEnv, names: readonly string[]): Promise<void> {
  const { client, path } = begun;
  requireNoPreview(begun);
  const body = Object.fromEntries(names.map((name) => [name, { preview_value: null, in_previews: true }]));
  const { data } = await updateVariables({ client, path, body });
  await finish(begun, data, `previews get the same ${names.join(', ')} as production`);
}

function requireNoPreview({ options: { preview } }: BegunEnv): void {
  if (preview !== undefined)
    throw usageError(
      'A preview’s own variables have only a value.',
      'Leave out --preview, or the options that say who gets them.',
    );
}

/** Says what was changed, and restarts the site if asked for. */
async function finish(begun: BegunEnv, data: object, done: string): Promise<void> {
  const { options, output, client, path, query, application } = begun;
  const sentence = `${output.name(application.name)}: ${done}.`;
  if (!options.restart) {
    output.result(data, () => sentence);
    output.hint('The site gets them with its next deployment or restart: simcha restart');
    return;
  }
  output.note(sentence);
  const restarted = await restart({ client, path, query, headers: idempotencyKey() });
  await reportRequest(begun, restarted.data);
}

async function importFile(file: string, begun: BegunEnv): Promise<void> {
  const { options, output } = begun;
  const shownFile = file === '-' ? 'stdin' : file;
  const text = file === '-' ? await readStdin() : await readFile(file, 'utf8');
  const { variables, leftOut } = await readDotenv(text, shownFile);
  const before = await readGivenValues(begun);
  const own = options.replace ? await readOwnValues(begun) : {};
  const names = Object.keys(variables);
  const missing = Object.keys(own).filter((name) => !(name in variables));
  const changed = names.filter((name) => before[name] !== variables[name]);
  const isNew = (name: string) => before[name] === undefined;
  output.note(
    `${shownFile}: ${[
      `${changed.filter(isNew).length} new`,
      `${changed.filter((name) => !isNew(name)).length} changed`,
      `${names.length - changed.length} as before`,
      ...(options.replace ? [`${missing.length} deleted`] : []),
    ].join(', ')}.`,
  );
  if (leftOut.length > 0) output.note(`Left out, because the server sets it itself: ${leftOut.join(', ')}.`);
  const env: Changes = Object.fromEntries([
    ...changed.map((name) => [name, variables[name] ?? ''] as const),
    ...missing.map((name) => [name, null] as const),
  ]);
  if (options.dryRun) {
    output.result({ changes: Object.keys(env).sort() }, ({ changes }) => changes.join('\n'));
    return;
  }
  if (missing.length > 0 && !options.yes) await confirm(`Delete ${missing.join(', ')}?`);
  if (Object.keys(env).length > 0) await change(begun, env);
}

/** True if the file is in a git repository that does not ignore it. */
async function isOpenToGit(file: string): Promise<boolean> {
  const { execFile } = await import('node:child_process');
  const asked = ['-C', dirname(file), 'check-ignore', '-q', '--', basename(file)];
  // Exit codes: 0 ignored, 1 not ignored, 128 no repository.
  return promisify(execFile)('git', asked).then(
    () => false,
    ({ code }) => code === 1,
  );
}

async function pull(file: string, begun: BegunEnv): Promise<void> {
  const { options, output, application } = begun;
  const variables = await (options.own ? readOwnValues(begun) : readGivenValues(begun));
  if (output.isJson) return output.result({ env: variables }, () => '');
  const { text, unwritable } = dotenvOf(variables);
  if (file === '-') process.stdout.write(text);
  else {
    const isThere = await readFile(file).then(
      () => true,
      () => false,
    );
    if (isThere && !options.force) await confirm(`Replace ${file}?`, '--force');
    await writePrivately(file, text);
    output.note(
      `Wrote ${Object.keys(variables).length - unwritable.length} variables of ${output.name(application.name)} to ${file}.`,
    );
    if (await isOpenToGit(file))
      output.note(
        `Git does not ignore ${file}: add it to .gitignore, or the next commit may contain secrets.`,
      );
  }
  if (unwritable.length > 0)
    throw new CommandError(
      `No .env file can hold ${unwritable.join(', ')}: they have every kind of quotes.`,
      {
        hint: 'simcha env get <name> prints one.',
      },
    );
}
