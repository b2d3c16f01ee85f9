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

/** Maximum number of log lines that the server sends in one response. */
const MOST_LINES = 1000;

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
  const since = options.since === undefined ? 0 : instantOf(options.since);
  const lines = linesOf(options);
  if (!options.follow) {
    const { data } = await log.read({ client, path, query: { ...query, lines } });
    for (const line of String(data).split('\n')) if (line !== '' && isSince(line, since)) print(line, output);
    return;
  }
  const signal = interruption();
  const onDisconnect = () => output.hint('The connection was lost; trying again …');
  // The stream begins with the newest 1,000 lines. If the user asked for fewer, only the last of these are printed.
  let early: string[] | undefined = options.lines === undefined ? undefined : [];
  const flush = () => {
    for (const line of early?.slice(-lines) ?? []) print(line, output);
    early = undefined;
  };
  const timer = setTimeout(flush, 500);
  for await (const { text } of log.follow({ client, path, query, signal, onDisconnect })) {
    if (!isSince(text, since)) continue;
    if (early) early.push(text);
    else print(text, output);
  }
  clearTimeout(timer);
  flush();
}

async function printDeploymentLog(begun: BegunLog): Promise<void> {
  const { options, output, server, application, client, path } = begun;
  const deployment = await findDeployment(begun, options.deployment ?? '');
  const whole = { ...path, deployment: deployment.deployment_uuid };
  if (options.follow && deployment.ended_at === null)
    return followDeployment(server, output, application, deployment);
  if (options.follow) {
    for await (const { text } of followDeploymentLines({ client, path: whole })) print(text, output);
    return;
  }
  const { data } = await readDeploymentLog({ client, path: whole });
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

function isSince(line: string, since: number): boolean {
  return since === 0 || !(Date.parse(line.slice(0, line.indexOf(' '))) < since);
}

function instantOf(since: string): number {
  const span = spanOf(since);
  const instant = span === undefined ? Date.parse(since) : Date.now() - span;
  if (!Number.isNaN(instant)) return instant;
  throw usageError(
    `--since is "${since}"; expected a span such as 10m, or a time such as 2027-06-15T19:30Z.`,
  );
}

function linesOf({ lines, since }: LogOptions): number {
  if (lines === undefined) return since === undefined ? 100 : MOST_LINES;
  const number = Number(lines);
  if (Number.isInteger(number) && number >= 1 && number <= MOST_LINES) return number;
  throw usageError(`--lines is "${lines}"; expected a number from 1 to ${MOST_LINES}.`);
}
