import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { idempotencyKey, readEnvironment, restart, updateEnvironment } from 'simcha-client';
import { writePrivately } from '../config/private-file.ts';
import { CommandError, usageError } from '../errors.ts';
import { EXIT } from '../exit-codes.ts';
import { canAsk } from '../output/terminal.ts';
import { askSecret, confirm, readStdin } from '../prompts.ts';
import { aboutSite, beginWithApplication, type CommandOf } from './begin.ts';
import { reportRequest } from './deployments.ts';
import { dotenvOf } from './dotenv-file.ts';

interface EnvOptions {
  show?: boolean;
  restart?: boolean;
  follow?: boolean;
  yes?: boolean;
  replace?: boolean;
  dryRun?: boolean;
  force?: boolean;
}

type BegunEnv = Awaited<ReturnType<typeof beginWithApplication<EnvOptions>>>;
type Variables = Record<string, string>;
/** Variables to set; null deletes one. */
type Changes = Record<string, string | null>;

const HIDDEN = '••••••••';

export function defineEnvironmentCommands(commandOf: CommandOf): void {
  const env = commandOf('env');
  aboutSite(env.command('list', { isDefault: true }))
    .description('List variables; their values are hidden on a terminal.')
    .option('--show', 'Show the values.')
    .action(async (_options, command: Command) => list(await beginWithApplication<EnvOptions>(command)));
  aboutSite(env.command('get'))
    .description('Print the value of a variable.')
    .argument('<name>')
    .action(async (name: string, _options, command: Command) =>
      get(name, await beginWithApplication(command)),
    );
  changing(env.command('set'))
    .description('Set variables: NAME=value, or NAME alone to type the value hidden.')
    .argument('<variables...>', 'NAME=value; NAME to be asked; NAME - to read the value from stdin')
    .action(async (variables: string[], _options, command: Command) => {
      const begun = await beginWithApplication<EnvOptions>(command);
      await change(begun, await assignmentsOf(variables));
    });
  changing(env.command('unset'))
    .description('Delete variables.')
    .argument('<names...>')
    .action(async (names: string[], _options, command: Command) => {
      const begun = await beginWithApplication<EnvOptions>(command);
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
    .description('Write the variables to a .env file that only you can read.')
    .argument('[file]', 'its path, or - for stdout', '.env')
    .option('--force', 'Replace the file.')
    .action(async (file: string, _options, command: Command) =>
      pull(file, await beginWithApplication<EnvOptions>(command)),
    );
}

function changing(command: Command): Command {
  return aboutSite(command)
    .option('--restart', 'Restart the site, so that it gets the variables at once.')
    .option('-f, --follow', 'With --restart: wait until the site has restarted.');
}

async function read({ client, path, query }: BegunEnv): Promise<Variables> {
  return (await readEnvironment({ client, path, query })).data.env;
}

async function list(begun: BegunEnv): Promise<void> {
  const { options, output, client, path, query } = begun;
  const { data } = await readEnvironment({ client, path, query });
  const isHidden = output.stdout.isTerminal && !options.show;
  output.result(data, ({ env }) =>
    output.pairs(
      Object.keys(env)
        .sort()
        .map((name) => [name, isHidden ? HIDDEN : (env[name] ?? '')] as const),
    ),
  );
  const count = Object.keys(data.env).length;
  if (count === 0) output.hint('There are no variables: simcha env set NAME=value');
  else if (isHidden) output.hint('Values are hidden; --show prints them.');
}

async function get(name: string, begun: BegunEnv): Promise<void> {
  const value = (await read(begun))[name];
  if (value === undefined)
    throw new CommandError(`There is no variable ${name}.`, { exitCode: EXIT.notFound });
  begun.output.result({ [name]: value }, () => begun.output.line(value));
}

/**
 * Reads variables from the command line's words: `NAME=value`; `NAME -`, with the value from stdin; `NAME`, with a
 * typed value.
 */
async function assignmentsOf(words: readonly string[]): Promise<Variables> {
  const variables: Variables = {};
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined) variables[name] = value ?? '';
    else if (words[i + 1] === '-') {
      variables[word] = await readStdin();
      i += 1;
    } else if (canAsk()) variables[word] = await askSecret(`${word}:`, `${word}=<value>`);
    else
      throw usageError(`${word} has no value.`, `Pass ${word}=<value>, or ${word} - to read it from stdin.`);
  }
  return variables;
}

/** Changes variables, says what changed, and restarts the site if asked for. */
async function change(begun: BegunEnv, env: Changes): Promise<void> {
  const { options, output, client, path, query, application } = begun;
  const { data } = await updateEnvironment({ client, path, query, body: env });
  const set = Object.keys(env).filter((name) => env[name] !== null);
  const unset = Object.keys(env).filter((name) => env[name] === null);
  const done = [
    ...(set.length > 0 ? [`set ${set.join(', ')}`] : []),
    ...(unset.length > 0 ? [`deleted ${unset.join(', ')}`] : []),
  ].join('; ');
  const sentence = `${output.name(application.name)}: ${done || 'nothing changed'}.`;
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
  const { parse } = await import('dotenv');
  const variables: Variables = parse(file === '-' ? await readStdin() : await readFile(file, 'utf8'));
  const before = await read(begun);
  const names = Object.keys(variables);
  const missing = options.replace ? Object.keys(before).filter((name) => !(name in variables)) : [];
  const changed = names.filter((name) => before[name] !== variables[name]);
  const isNew = (name: string) => before[name] === undefined;
  output.note(
    `${file === '-' ? 'stdin' : file}: ${[
      `${changed.filter(isNew).length} new`,
      `${changed.filter((name) => !isNew(name)).length} changed`,
      `${names.length - changed.length} as before`,
      ...(options.replace ? [`${missing.length} deleted`] : []),
    ].join(', ')}.`,
  );
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

async function pull(file: string, begun: BegunEnv): Promise<void> {
  const { options, output, application } = begun;
  const variables = await read(begun);
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
  }
  if (unwritable.length > 0)
    throw new CommandError(
      `No .env file can hold ${unwritable.join(', ')}: they have every kind of quotes.`,
      {
        hint: 'simcha env get <name> prints one.',
      },
    );
}
