import type { Command } from 'commander';
import {
  followAccessLines,
  followDeploymentLines,
  followSiteLines,
  readAccessLog,
  readDeploymentLog,
  readSiteLog,
} from 'simcha-client';
import { usageError } from '../errors.ts';
import { EXIT } from '../exit-codes.ts';
import { interruption } from '../interruption.ts';
import type { Output } from '../output/output.ts';
import { spanOf } from '../output/time.ts';
import { aboutSite, beginWithApplication, type CommandOf } from './begin.ts';
import { findDeployment } from './deployments.ts';
import { followDeployment } from './follow-deployment.ts';

interface LogOptions {
  follow?: boolean;
  since?: string;
  lines?: string;
  access?: boolean;
  deployment?: string;
}

type BegunLog = Awaited<ReturnType<typeof beginWithApplication<LogOptions>>>;

/** Default number of lines of a log that is not followed. */
const DEFAULT_LINES = 100;
/** Maximum number of lines that the server accepts in a request. */
const MOST_LINES = 10_000;

export function defineLogCommands(commandOf: CommandOf): void {
  aboutSite(commandOf('logs'))
    .option('-f, --follow', 'Go on with new lines, until Ctrl+C.')
    .option('--since <time>', 'Only lines since then: 10m, 2h, 1d, or a time such as 2027-06-15T19:30Z.')
    .option('-n, --lines <number>', `How many of the newest lines, at most ${MOST_LINES}.`)
    .option('--access', 'The requests to the site.')
    .option('--deployment <id>', 'The log of this deployment: its id, a commit, latest or current.')
    .action(async (_options, command: Command) => {
      const begun = await beginWithApplication<LogOptions>(command);
      await (begun.options.deployment === undefined ? printSiteLog(begun) : printDeploymentLog(begun));
    });
}

async function printSiteLog(begun: BegunLog): Promise<void> {
  const { options, output, client, path, query } = begun;
  const log = options.access
    ? { read: readAccessLog, follow: followAccessLines }
    : { read: readSiteLog, follow: followSiteLines };
  const colours = options.access ? {} : output.logColours;
  const requested = { client, path, query: { ...query, ...logQuery(options), ...colours } };
  if (!options.follow) {
    const { data } = await log.read(requested);
    const lines = String(data).split('\n').filter(Boolean);
    for (const line of lines) print(line, output);
    if (lines.length === 0) output.hint(options.access ? 'No requests yet.' : 'No output yet.');
    return;
  }
  const signal = interruption();
  const onDisconnect = () => output.hint('The connection was lost; trying again …');
  for await (const { text } of log.follow({ ...requested, signal, onDisconnect })) print(text, output);
  if (signal.aborted) process.exitCode = EXIT.interrupted;
}

async function printDeploymentLog(begun: BegunLog): Promise<void> {
  const { options, output, server, application, client, path } = begun;
  const deployment = await findDeployment(begun, options.deployment ?? '');
  const requested = {
    client,
    path: { ...path, deployment: deployment.deployment_uuid },
    query: output.logColours,
  };
  if (options.follow && deployment.ended_at === null)
    return followDeployment(server, output, application, deployment);
  if (options.follow) {
    for await (const { text } of followDeploymentLines(requested)) print(text, output);
    return;
  }
  const { data } = await readDeploymentLog(requested);
  for (const line of String(data).split('\n')) if (line !== '') print(line, output);
}

/** Prints a line, with its time dimmed on a terminal; as JSON, the time and the text of each line as an object. */
function print(line: string, output: Output): void {
  const { dim } = output.stdout.colours;
  const [, time = '', text = line] = /^(\S+Z) (.*)$/s.exec(line) ?? [];
  const shown = output.line(text);
  if (output.isJson) process.stdout.write(`${JSON.stringify({ time: time || null, text })}\n`);
  else
    process.stdout.write(
      `${time === '' ? '' : `${dim(output.stdout.isTerminal ? clock(time) : time)} `}${shown}\n`,
    );
}

/** Local time of day, preceded by the date unless the date is today. */
function clock(time: string): string {
  const at = new Date(time);
  const [day, now] = [at, new Date()].map((one) => one.toLocaleDateString('sv'));
  return `${day === now ? '' : `${day} `}${at.toLocaleTimeString('sv')}`;
}

/** Which lines of a log the server should send. */
function logQuery(options: LogOptions): { lines?: number; since?: string } {
  const lines = linesOf(options);
  return {
    ...(lines !== undefined && { lines }),
    ...(options.since !== undefined && { since: instantOf(options.since) }),
  };
}

function instantOf(since: string): string {
  const span = spanOf(since);
  const instant = new Date(span === undefined ? since : Date.now() - span);
  if (!Number.isNaN(instant.getTime())) return instant.toISOString();
  throw usageError(
    `--since is "${since}"; expected a span such as 10m, or a time such as 2027-06-15T19:30Z.`,
  );
}

/** Number of lines that the user wants; undefined for the server's default. */
function linesOf({ lines, since, follow }: LogOptions): number | undefined {
  if (lines === undefined) return follow || since !== undefined ? undefined : DEFAULT_LINES;
  const number = Number(lines);
  if (Number.isInteger(number) && number >= 1 && number <= MOST_LINES) return number;
  throw usageError(`--lines is "${lines}"; expected a number from 1 to ${MOST_LINES}.`);
}
