import type { Command } from 'commander';
import {
  type CountedEvent,
  createEvent,
  duplicateEvent,
  idempotencyKey,
  type ListedEvent,
  type NewEvent,
  readBudget,
  readChecklist,
  readEvent,
  updateEvent,
} from 'simcha-client';
import { usageError } from '../errors.ts';
import { allEvents, idOfEvent } from '../events.ts';
import type { Output } from '../output/output.ts';
import { eventTime, shekels } from '../output/time.ts';
import { confirm } from '../prompts.ts';
import { begin, type CommandOf } from './begin.ts';

/**
 * Fields of an event that have a command-line option of their own: the option's value, its help text, and the API's
 * field.
 */
const FIELDS = {
  date: ['<time>', 'Date and time, in Israel unless it has an offset: 2027-06-15T19:30.', 'event_date'],
  venue: ['<name>', 'Venue.', 'venue_name'],
  address: ['<text>', 'Address of the venue.', 'venue_address'],
  guests: ['<number>', 'Most guests.', 'max_guests'],
  kashrut: ['<level>', 'none, regular, mehadrin or chalav_yisrael.', 'kashrut_level'],
  language: ['<name>', 'hebrew, arabic or english.', 'language_pref'],
  budget: ['<shekels>', 'Budget in new shekels.', 'budget'],
} as const;

type Fields = Partial<Record<keyof typeof FIELDS, string>>;

export function defineEventCommands(commandOf: CommandOf): void {
  const events = commandOf('events');
  events
    .command('list', { isDefault: true })
    .description('List your events, and those that are shared with you.')
    .option('--status <status>', 'draft, published, cancelled or completed.')
    .action(async (_options, command: Command) => list(command));
  events
    .command('show')
    .description('Show an event.')
    .argument('<event>', 'title, a part of it, or id')
    .action(async (named: string, _options, command: Command) => {
      const { output, client, path } = await beginWithEvent(command, named);
      output.result((await readEvent({ client, path })).data, ({ event }) => describe(event, output));
    });
  withFields(
    events.command('create').description('Create an event; it is a draft.').argument('<title>'),
  ).action(async (title: string, _options, command: Command) => create(title, command));
  events
    .command('publish')
    .description('Publish a draft, so that guests can answer.')
    .argument('<event>', 'title, a part of it, or id')
    .option('--yes', 'Don’t ask.')
    .action(async (named: string, _options, command: Command) => changeStatus('published', named, command));
  events
    .command('cancel')
    .description('Cancel an event.')
    .argument('<event>', 'title, a part of it, or id')
    .option('--yes', 'Don’t ask.')
    .action(async (named: string, _options, command: Command) => changeStatus('cancelled', named, command));
  withFields(
    events
      .command('duplicate')
      .description('Copy an event with its settings, invitation and agenda.')
      .argument('<event>', 'title, a part of it, or id')
      .option('--title <text>', 'Title of the copy.')
      .option('--with-guests', 'Copy the guests too.'),
  ).action(async (named: string, _options, command: Command) => duplicate(named, command));
  commandOf('checklist')
    .argument('<event>', 'title, a part of it, or id')
    .action(async (named: string, _options, command: Command) => printChecklist(named, command));
  commandOf('budget')
    .argument('<event>', 'title, a part of it, or id')
    .action(async (named: string, _options, command: Command) => printBudget(named, command));
}

function withFields(command: Command): Command {
  for (const [name, [value, description]] of Object.entries(FIELDS))
    command.option(`--${name} ${value}`, description);
  return command;
}

/** Fields of an event that the command line's options give, with the API's names; numbers are converted. */
function fieldsOf(options: Fields): Partial<NewEvent> {
  const given = Object.entries(FIELDS).flatMap(([name, [value, , field]]) => {
    const text = options[name as keyof Fields];
    if (text === undefined) return [];
    return [[field, ['<number>', '<shekels>'].includes(value) ? Number(text) : text] as const];
  });
  return Object.fromEntries(given) as Partial<NewEvent>;
}

/** Connects to the server for a command about one event, and finds that event. */
export async function beginWithEvent<O = object>(command: Command, named: string) {
  const begun = await begin<O>(command);
  return { ...begun, client: begun.server.client, path: { id: await idOfEvent(begun.server, named) } };
}

async function list(command: Command): Promise<void> {
  const { options, output, server } = await begin<{ status?: string }>(command);
  const all = await allEvents(server);
  const events = options.status === undefined ? all : all.filter(({ status }) => status === options.status);
  output.result({ events, total: events.length }, () => tableOfEvents(events, output));
  if (all.length === 0)
    output.hint('You have no event yet: simcha events create "Our wedding" --date … --venue …');
}

function tableOfEvents(events: readonly ListedEvent[], output: Output): string {
  return output.table(
    [
      { heading: 'title', text: ({ title }) => title, canShrink: true },
      {
        heading: 'status',
        text: ({ status }) => status,
        style: (text, { status }) => output.status(text, status),
      },
      { heading: 'date', text: ({ event_date }) => output.time(event_date, eventTime) },
      { heading: 'venue', text: ({ venue_name }) => venue_name, canShrink: true },
      { heading: 'yes', text: ({ rsvp_confirmed }) => String(rsvp_confirmed), isRight: true },
      { heading: 'open', text: ({ rsvp_pending }) => String(rsvp_pending), isRight: true },
      { heading: 'guests', text: ({ rsvp_total }) => String(rsvp_total), isRight: true },
    ],
    events,
  );
}

function describe(event: CountedEvent, output: Output): string {
  return output.pairs([
    ['title', event.title],
    ['status', output.status(event.status)],
    ['date', output.time(event.event_date, eventTime)],
    ['venue', [event.venue_name, event.venue_address].filter(Boolean).join(', ')],
    ['guests', `${event.rsvp_confirmed} yes, ${event.rsvp_declined} no, ${event.rsvp_pending} open`],
    ['most guests', event.max_guests === null ? undefined : String(event.max_guests)],
    ['kashrut', event.kashrut_level],
    ['language', event.language_pref],
    ['budget', event.budget === null ? undefined : shekels(event.budget)],
    ['id', event.id],
  ]);
}

async function create(title: string, command: Command): Promise<void> {
  const { options, output, server } = await begin<Fields>(command);
  const { date, venue } = options;
  if (date === undefined || venue === undefined)
    throw usageError('An event needs a date and a venue.', 'Pass --date 2027-06-15T19:30 --venue <name>.');
  const body: NewEvent = { ...fieldsOf(options), title, event_date: date, venue_name: venue };
  const { data } = await createEvent({ client: server.client, headers: idempotencyKey(), body });
  output.result(
    data,
    ({ event }) =>
      `Created ${output.name(event.title)}, ${output.time(event.event_date, eventTime)}: ${event.id}`,
  );
  output.hint(
    'It is a draft. Guests: simcha guests import <event> list.xlsx. Publish: simcha events publish <event>',
  );
}

/** Changes the status of an event after the warnings of the server were confirmed. */
async function changeStatus(
  status: 'published' | 'cancelled',
  named: string,
  command: Command,
): Promise<void> {
  const { options, output, client, path } = await beginWithEvent<{ yes?: boolean }>(command, named);
  const body = { status };
  const { data: preview } = await updateEvent({ client, path, body, query: { dry_run: true } });
  const { event, preview: forecast } = preview;
  for (const { message } of forecast?.warnings ?? []) output.note(output.wrap(`! ${message}`));
  const mustAsk = status === 'cancelled' || (forecast?.warnings.length ?? 0) > 0;
  const [verb, done] = status === 'cancelled' ? ['Cancel', 'cancelled'] : ['Publish', 'published'];
  if (mustAsk && !options.yes) await confirm(`${verb} ${output.name(event.title)}?`);
  const { data } = await updateEvent({ client, path, body });
  output.result(data, () => `${output.name(event.title)} is ${done}.`);
  if (status === 'cancelled')
    output.hint('Guests are told by a message: simcha invite <event> --kind cancellation');
}

async function duplicate(named: string, command: Command): Promise<void> {
  const { options, output, client, path } = await beginWithEvent<
    Fields & { title?: string; withGuests?: boolean }
  >(command, named);
  const { title, withGuests: guests } = options;
  const body = { ...fieldsOf(options), ...(title !== undefined && { title }), ...(guests && { guests }) };
  const { data } = await duplicateEvent({ client, path, headers: idempotencyKey(), body });
  output.result(data, ({ event }) => `Created ${output.name(event.title)}: ${event.id}`);
}

async function printChecklist(named: string, command: Command): Promise<void> {
  const { output, client, path } = await beginWithEvent(command, named);
  const { data } = await readChecklist({ client, path });
  output.result(data, ({ checklist }) =>
    output.table(
      [
        {
          heading: 'state',
          text: ({ state, overdue, dismissed }) => (dismissed ? 'dismissed' : overdue ? 'overdue' : state),
          style: (text, { state, overdue }) => output.status(text, overdue ? 'overdue' : state),
        },
        { heading: 'due', text: ({ due_date }) => due_date ?? '' },
        { heading: 'approval', text: ({ title }) => title, canShrink: true },
        { heading: 'from', text: ({ granted_by_name }) => granted_by_name, canShrink: true },
        { heading: 'note', text: ({ note }) => note ?? '', canShrink: true },
      ],
      checklist.items,
    ),
  );
  if (data.checklist.items.length > 0) output.hint(output.wrap(data.checklist.advice));
  else output.hint('This event needs no approvals.');
}

async function printBudget(named: string, command: Command): Promise<void> {
  const { output, client, path } = await beginWithEvent(command, named);
  const { data } = await readBudget({ client, path });
  const { red } = output.stdout.colours;
  output.result(data, ({ budget }) => {
    const total = output.pairs([
      ['budget', budget.budget === null ? 'none' : shekels(budget.budget)],
      ['planned', shekels(budget.planned)],
      ['booked', shekels(budget.booked)],
      ['paid', shekels(budget.paid)],
      ['owed', shekels(budget.owed)],
      ['left', budget.left === null ? undefined : (budget.over_budget ? red : String)(shekels(budget.left))],
      ['overdue', budget.overdue === 0 ? undefined : red(shekels(budget.overdue))],
      [
        'next',
        budget.due_next
          ? `${shekels(budget.due_next.amount)} to ${budget.due_next.vendor_name}, ${budget.due_next.due_date}`
          : undefined,
      ],
    ]);
    const kinds = output.table(
      [
        { heading: 'kind', text: ({ kind }) => kind },
        { heading: 'planned', text: ({ planned }) => shekels(planned), isRight: true },
        { heading: 'booked', text: ({ booked }) => shekels(booked), isRight: true },
        { heading: 'paid', text: ({ paid }) => shekels(paid), isRight: true },
      ],
      budget.by_kind,
    );
    return [total, ...(kinds === '' ? [] : [kinds])].join(output.stdout.isTerminal ? '\n\n' : '\n');
  });
}
