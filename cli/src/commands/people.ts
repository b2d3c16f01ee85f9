import type { Command } from 'commander';
import {
  type ApplicationChange,
  changePerson,
  idempotencyKey,
  invitePerson,
  listApplicationHistory,
  listPeople,
  type Person,
  removePerson,
} from 'simcha-client';
import { usageError } from '../errors.ts';
import { fieldWords } from '../output/field-words.ts';
import { OPERATION_WORDS } from '../output/operation-words.ts';
import type { Output } from '../output/output.ts';
import { timeAgo } from '../output/time.ts';
import { aboutApplication, beginWithApplication, type CommandOf } from './begin.ts';

const ROLES = ['look', 'deploy', 'administer'] as const;
type SharedRole = (typeof ROLES)[number];

export function definePeopleCommands(commandOf: CommandOf): void {
  const people = commandOf('people');
  aboutApplication(people.command('list', { isDefault: true }))
    .description('List the owner of an application and the people with whom it is shared.')
    .action(async (_options, command: Command) => {
      const { output, client, path, application } = await beginWithApplication(command);
      const { data } = await listPeople({ client, path });
      const owner: PersonRow = { email: application.owner, role: 'owner', created_at: null, pending: false };
      output.result(data, (list) => tableOfPeople([owner, ...list.people], output));
      if (data.people.length === 0)
        output.hint('It is not shared: simcha people add itai@example.com --role deploy');
    });
  aboutApplication(people.command('add'))
    .description('Share an application with the person who has this address; a mail tells them.')
    .argument('<email>')
    .option('--role <role>', `What they may do: ${ROLES.join(', ')}.`, 'look')
    .action(async (email: string, _options, command: Command) => {
      const { options, output, client, path } = await beginWithApplication<{ role: string }>(command);
      const body = { email, role: roleNamed(options.role) };
      const { data } = await invitePerson({ client, path, headers: idempotencyKey(), body });
      output.result(data, (person) => tableOfPeople([person], output));
    });
  aboutApplication(people.command('set'))
    .description('Change the role of a person; it takes effect at once.')
    .argument('<email>')
    .argument('<role>', ROLES.join(', '))
    .action(async (email: string, role: string, _options, command: Command) => {
      const { output, client, path } = await beginWithApplication(command);
      const body = { role: roleNamed(role) };
      const { data } = await changePerson({ client, path: { ...path, person: email }, body });
      output.result(data, (changed) => tableOfPeople([changed], output));
    });
  aboutApplication(people.command('remove'))
    .description('End the access of a person, or your own, at once.')
    .argument('<email>')
    .action(async (email: string, _options, command: Command) => {
      const { output, client, path } = await beginWithApplication(command);
      await removePerson({ client, path: { ...path, person: email } });
      output.note(`Removed ${email}.`);
    });

  aboutApplication(commandOf('history'))
    .option('-n, --lines <number>', 'Number of changes.', '20')
    .action(async (_options, command: Command) => {
      const { options, output, client, path } = await beginWithApplication<{ lines: string }>(command);
      if (!/^[1-9]\d{0,2}$/.test(options.lines))
        throw usageError(`--lines is "${options.lines}"; expected 1 to 999.`);
      const query = { limit: Number(options.lines) };
      const { data } = await listApplicationHistory({ client, path, query });
      output.result(data, ({ history }) => tableOfChanges(history, output));
    });
}

function roleNamed(text: string): SharedRole {
  const role = ROLES.find((one) => one === text);
  if (!role) throw usageError(`The role ${text} is none of ${ROLES.join(', ')}.`);
  return role;
}

/** Row of the table of people: a person, or the owner, who was never invited. */
type PersonRow = Pick<Person, 'email' | 'pending'> & { role: string; created_at: string | null };

function tableOfPeople(people: readonly PersonRow[], output: Output): string {
  return output.table(
    [
      { heading: 'person', text: ({ email }) => email, canShrink: true },
      { heading: 'role', text: ({ role }) => role },
      { heading: 'since', text: ({ created_at }) => output.time(created_at, timeAgo) },
      { heading: '', text: ({ pending }) => (pending ? 'has not signed in yet' : '') },
    ],
    people,
  );
}

function tableOfChanges(history: readonly ApplicationChange[], output: Output): string {
  return output.table(
    [
      { heading: 'when', text: ({ at }) => output.time(at, timeAgo) },
      { heading: 'who', text: ({ by }) => whoOf(by), canShrink: true },
      { heading: 'from', text: ({ by }) => by.address ?? '' },
      { heading: 'what', text: ({ operation }) => OPERATION_WORDS[operation] ?? operation },
      { heading: 'of', text: ({ subject, preview }) => subject ?? preview ?? '', canShrink: true },
      { heading: 'changed', text: changesOf, canShrink: true },
    ],
    history,
  );
}

function whoOf({ kind, email, token }: ApplicationChange['by']): string {
  const who = kind === 'user' ? (email ?? '') : kind === 'push' ? 'push hook' : 'operator of the server';
  return token === null ? who : `${who} (${token})`;
}

function changesOf({ operation, changes }: ApplicationChange): string {
  return Object.entries(changes ?? {})
    .map(([field, { from, to }]) => `${fieldWords(operation, field)}: ${textOf(from)} → ${textOf(to)}`)
    .join(', ');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
