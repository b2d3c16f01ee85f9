import type { Command } from 'commander';
import {
  cancelRun,
  followRunLines,
  idempotencyKey,
  listRuns,
  type Run,
  readRun,
  readRunLog,
  run,
} from 'simcha-client';
import { CommandError, usageError } from '../errors.ts';
import { EXIT } from '../exit-codes.ts';
import { interruption } from '../interruption.ts';
import type { Output } from '../output/output.ts';
import { logLine } from '../output/printable.ts';
import type { Terminal } from '../output/terminal.ts';
import { duration, spanOf, timeAgo } from '../output/time.ts';
import { aboutSite, beginWithApplication, type CommandOf } from './begin.ts';

interface RunOptions {
  job?: string;
  time?: string;
  detach?: boolean;
}

type BegunRun = Awaited<ReturnType<typeof beginWithApplication<RunOptions>>>;

/** Number of last digits of a run's uuid that tables show; the server accepts them. */
const SHORT = 8;

export function defineRunCommands(commandOf: CommandOf): void {
  aboutSite(commandOf('run'))
    .argument('[command...]', 'the command, after --; its exit code becomes this one’s')
    .option('--job <name>', 'Run a job of the release now, rather than a command.')
    .option('--time <span>', 'Longest time, such as 90s or 10m.')
    .option('-d, --detach', 'Don’t wait for it.')
    .action(async (words: string[], _options, command: Command) => start(words, command));
  const runs = commandOf('runs');
  aboutSite(runs.command('list', { isDefault: true }))
    .description('List commands and jobs that ran, newest first.')
    .option('-n, --limit <number>', 'How many.', '20')
    .action(async (_options, command: Command) => list(command));
  aboutSite(runs.command('logs'))
    .description('Print the output of a run, and follow it while it goes on.')
    .argument('<run>', 'its id in simcha runs, or latest')
    .action(async (id: string, _options, command: Command) => {
      const begun = await beginWithApplication<RunOptions>(command);
      const { client, path, query } = begun;
      const found = (await readRun({ client, path: { ...path, run: id }, query })).data;
      if (found.ended_at === null) return follow(begun, found);
      const { data } = await readRunLog({
        client,
        path: { ...path, run: found.run_uuid },
        query: { ...query, ...begun.output.logColours },
      });
      const printed = new RunOutput(process.stdout, begun.output.stdout);
      for (const line of String(data).split('\n')) if (line !== '') printed.line(line);
    });
  aboutSite(runs.command('cancel'))
    .description('Cancel a run; one that goes on is killed.')
    .argument('<run>', 'its id in simcha runs, or latest')
    .action(async (id: string, _options, command: Command) => {
      const begun = await beginWithApplication<RunOptions>(command);
      const { client, path, query, output } = begun;
      const headers = idempotencyKey();
      const { data } = await cancelRun({ client, path: { ...path, run: id }, query, headers });
      output.result(data, () => `Cancelling ${data.command}.`);
    });
}

async function start(words: readonly string[], command: Command): Promise<void> {
  const begun = await beginWithApplication<RunOptions>(command);
  const { options, output, client, path, query } = begun;
  const { job, time, detach } = options;
  if ((job === undefined) === (words.length === 0))
    throw usageError(
      'Either a command or --job is needed.',
      'For example: simcha run -- node scripts/count.js',
    );
  const milliseconds = time === undefined ? undefined : spanOf(time);
  if (time !== undefined && milliseconds === undefined)
    throw usageError(`--time is "${time}"; expected 90s or 10m.`);
  const { data } = await run({
    client,
    path,
    query,
    headers: idempotencyKey(),
    body: {
      ...(job === undefined ? { command: shellCommandOf(words) } : { job }),
      ...(milliseconds !== undefined && { seconds: milliseconds / 1000 }),
    },
  });
  if (!detach) return follow(begun, data);
  output.result(data, ({ run_uuid }) => run_uuid);
  output.hint(`Its output: simcha runs logs ${data.run_uuid.slice(-SHORT)}`);
}

/**
 * Shell command made from the arguments of `simcha run`: a single argument is a whole command line already; several are
 * quoted again, because the user's shell has removed their quotes.
 */
function shellCommandOf(words: readonly string[]): string {
  if (words.length === 1) return words[0] ?? '';
  return words
    .map((word) => (/^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

/** Prints the output of a run until it ends. Throws with the exit code of the command if it failed. */
async function follow({ output, client, path, query }: BegunRun, { run_uuid }: Run): Promise<void> {
  const signal = interruption();
  const whole = { ...path, run: run_uuid };
  const onDisconnect = () => output.hint('The connection was lost; trying again …');
  const printed = output.isJson
    ? new RunOutput(process.stderr, output.stderr)
    : new RunOutput(process.stdout, output.stdout);
  let ended: Run;
  do {
    for await (const { text } of followRunLines({
      client,
      path: whole,
      query: { ...query, ...output.logColours },
      signal,
      onDisconnect,
    }))
      printed.line(text);
    if (signal.aborted)
      throw new CommandError('Detached: the command goes on.', {
        hint: `Its output: simcha runs logs ${run_uuid}\nEnd it: simcha runs cancel ${run_uuid}`,
        exitCode: EXIT.interrupted,
      });
    ended = (await readRun({ client, path: whole, query })).data;
  } while (ended.ended_at === null);
  output.result(ended, () => '');
  if (ended.status === 'succeeded') return;
  throw new CommandError(ended.reason ?? `The command was ${ended.status}.`, {
    exitCode: ended.exit_code || EXIT.deploymentFailed,
  });
}

/**
 * Output of a command as it would be on the user's own machine: without the log's times, and without the log's own
 * lines before and after it, which repeat the command and how it ended.
 */
class RunOutput {
  readonly #stream: NodeJS.WritableStream;
  readonly #terminal: Terminal;
  #isFirst = true;

  constructor(stream: NodeJS.WritableStream, terminal: Terminal) {
    this.#stream = stream;
    this.#terminal = terminal;
  }

  line(line: string): void {
    const text = /^\S+Z \[run\] (.*)$/s.exec(line)?.[1] ?? line;
    const isOfLog = (this.#isFirst && text.startsWith('$ ')) || text.startsWith('exited with code ');
    this.#isFirst = false;
    if (!isOfLog) this.#stream.write(`${logLine(text, this.#terminal)}\n`);
  }
}

async function list(command: Command): Promise<void> {
  const { options, output, client, path, query } = await beginWithApplication<{ limit: string }>(command);
  const { data } = await listRuns({ client, path, query: { ...query, limit: Number(options.limit) || 20 } });
  output.result(data, ({ runs }) => tableOfRuns(runs, output));
  if (data.runs.length === 0) output.hint('Nothing ran yet: simcha run -- <command>');
}

function tableOfRuns(runs: readonly Run[], output: Output): string {
  return output.table(
    [
      {
        heading: 'id',
        text: ({ run_uuid }) => (output.stdout.isTerminal ? run_uuid.slice(-SHORT) : run_uuid),
      },
      {
        heading: 'status',
        text: ({ status }) => status,
        style: (text, { status }) => output.status(text, status),
      },
      { heading: 'job', text: ({ job }) => job ?? '' },
      { heading: 'command', text: ({ command }) => command, canShrink: true },
      { heading: 'requested', text: ({ requested_at }) => output.time(requested_at, timeAgo) },
      {
        heading: 'took',
        text: ({ started_at, ended_at }) =>
          started_at && ended_at ? duration(Date.parse(ended_at) - Date.parse(started_at)) : '',
        isRight: true,
      },
      {
        heading: 'why',
        text: ({ status, reason }) => (status === 'succeeded' ? '' : (reason?.split('\n')[0] ?? '')),
        canShrink: true,
      },
    ],
    runs,
  );
}
