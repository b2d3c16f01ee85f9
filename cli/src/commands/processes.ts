import type { Command } from 'commander';
import { type Processes, readProcesses, scaleProcesses } from 'simcha-client';
import { usageError } from '../errors.ts';
import type { Output } from '../output/output.ts';
import { timeAgo } from '../output/time.ts';
import { aboutSite, beginWithApplication, type CommandOf } from './begin.ts';

export function defineProcessCommands(commandOf: CommandOf): void {
  aboutSite(commandOf('ps')).action(async (_options, command: Command) => {
    const { output, client, path, query } = await beginWithApplication(command);
    const { data } = await readProcesses({ client, path, query });
    output.result(data, (processes) => describe(processes, output));
    if (data.processes.length === 0)
      output.hint('Nothing runs: a static site, or one that was never deployed.');
  });
  aboutSite(commandOf('scale'))
    .argument('<counts...>', 'name=count, such as web=2; name= for the default')
    .action(async (counts: string[], _options, command: Command) => {
      const body = Object.fromEntries(counts.map(countOf));
      const { output, client, path, query } = await beginWithApplication(command);
      const { data } = await scaleProcesses({ client, path, query, body });
      output.result(data, (processes) => describe(processes, output));
    });
}

function countOf(text: string): [string, number | null] {
  const [, name, count = ''] = /^([^=]+)=(\d*)$/.exec(text) ?? [];
  if (name !== undefined) return [name, count === '' ? null : Number(count)];
  throw usageError(`"${text}" is no name and count.`, 'For example: simcha scale web=2 worker=1');
}

/** Row of the table of replicas: one replica, or a process that has no replicas. */
interface ReplicaRow {
  name: string;
  command: string;
  state: string;
  since: string | null;
  restarts: number;
  reason: string | null;
}

/** Replicas and jobs in two tables, the second under a heading of its own. */
function describe({ processes, jobs }: Processes, output: Output): string {
  const replicas = processes.flatMap(({ name, command, wanted, replicas: all }): ReplicaRow[] =>
    all.length > 0
      ? all.map((replica) => ({ ...replica, name: `${name}.${replica.number}`, command }))
      : [
          {
            name,
            command,
            state: wanted === 0 ? 'scaled to 0' : 'stopped',
            since: null,
            restarts: 0,
            reason: null,
          },
        ],
  );
  const running = output.table(
    [
      { heading: 'process', text: ({ name }) => name },
      {
        heading: 'state',
        text: ({ state }) => state,
        style: (text, { state }) => output.status(text, state),
      },
      { heading: 'since', text: ({ since }) => output.time(since, timeAgo) },
      { heading: 'restarts', text: ({ restarts }) => String(restarts), isRight: true },
      { heading: 'command', text: ({ command }) => command, canShrink: true },
      { heading: 'why', text: ({ reason }) => reason ?? '', canShrink: true },
    ],
    replicas,
  );
  const planned = output.table(
    [
      { heading: 'job', text: ({ name }) => name },
      { heading: 'schedule', text: ({ schedule }) => schedule },
      { heading: 'next', text: ({ next_at }) => output.time(next_at, timeAgo) },
      { heading: 'command', text: ({ command }) => command, canShrink: true },
    ],
    jobs,
  );
  return [...(replicas.length > 0 ? [running] : []), ...(jobs.length > 0 ? [planned] : [])].join(
    output.stdout.isTerminal ? '\n\n' : '\n',
  );
}
