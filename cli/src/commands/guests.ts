import { readFile, writeFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import type { Command } from 'commander';
import {
  exportGuests,
  type Guest,
  type ImportReport,
  idempotencyKey,
  importGuests,
  type ListGuestsData,
  listGuests,
  paginate,
  type RoundPreview,
  SimchaError,
  sendRound,
} from 'simcha-client';
import { CommandError, usageError } from '../errors.ts';
import { counted } from '../output/counted.ts';
import { LEFT_OUT_WORDS } from '../output/left-out-words.ts';
import type { Output } from '../output/output.ts';
import { confirm, readStdin } from '../prompts.ts';
import type { CommandOf } from './begin.ts';
import { beginWithEvent } from './events.ts';

interface ImportOptions {
  dryRun?: boolean;
  skipProblems?: boolean;
  doubles?: string;
  yes?: boolean;
}

interface FilterOptions {
  status?: string;
  search?: string;
  tag?: string;
}

interface InviteOptions extends FilterOptions {
  kind?: NonNullable<Kind>;
  channel?: NonNullable<Channel>;
  at?: string;
  dryRun?: boolean;
  yes?: boolean;
}

type Kind = RoundPreview['kind'];
type Channel = RoundPreview['channel'];

/** Media types of the files that an import reads, by the end of their names. */
const TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.ods': 'application/vnd.oasis.opendocument.spreadsheet',
  '.vcf': 'text/vcard',
};

export function defineGuestCommands(commandOf: CommandOf): void {
  const guests = commandOf('guests');
  filtered(guests.command('list').description('List the guests of an event.'))
    .argument('<event>', 'title, a part of it, or id')
    .action(async (named: string, _options, command: Command) => list(named, command));
  guests
    .command('import')
    .description('Import guests from CSV, XLSX, ODS or vCard; nothing is written if a row has a problem.')
    .argument('<event>', 'title, a part of it, or id')
    .argument('<file>', 'its path')
    .option('--dry-run', 'Only say what would become of each row.')
    .option('--skip-problems', 'Import the rows without a problem.')
    .option('--doubles <decision>', 'For guests who may be on the list already: skip, create or update.')
    .action(async (named: string, file: string, _options, command: Command) =>
      importFile(named, file, command),
    );
  guests
    .command('export')
    .description('Save the guests as CSV or XLSX.')
    .argument('<event>', 'title, a part of it, or id')
    .argument('[file]', 'its path, .csv or .xlsx; otherwise CSV to stdout')
    .action(async (named: string, file: string | undefined, _options, command: Command) =>
      exportFile(named, file, command),
    );
  filtered(commandOf('invite'))
    .argument('<event>', 'title, a part of it, or id')
    .option(
      '--kind <kind>',
      'invitation, save_the_date, reminder, change, cancellation, see_you or thanks.',
      'invitation',
    )
    .option('--channel <channel>', 'mail, sms, whatsapp, by_hand or phone.', 'mail')
    .option('--at <time>', 'Later, in Israel unless it has an offset: 2027-05-01T10:00.')
    .option('--dry-run', 'Only say who would get it.')
    .option('--yes', 'Don’t ask.')
    .action(async (named: string, _options, command: Command) => invite(named, command));
}

function filtered(command: Command): Command {
  return command
    .option('--status <status>', 'confirmed, pending, declined, maybe or waiting.')
    .option('--search <text>', 'Words of a name, or a part of a phone number.')
    .option('--tag <tag>', 'Guests with this tag.');
}

function filterOf({ status, search, tag }: FilterOptions) {
  return {
    ...(status !== undefined && { status }),
    ...(search !== undefined && { search }),
    ...(tag !== undefined && { tag }),
  };
}

async function list(named: string, command: Command): Promise<void> {
  const { options, output, client, path } = await beginWithEvent<FilterOptions>(command, named);
  const query: NonNullable<ListGuestsData['query']> = filterOf(options);
  const guests: Guest[] = [];
  for await (const one of paginate(
    (page) => listGuests({ client, path, query: { ...query, ...page } }),
    1000,
  ))
    guests.push(one);
  output.result({ guests, total: guests.length }, () => tableOfGuests(guests, output));
  if (guests.length === 0) output.hint('No guests: simcha guests import <event> <file>');
}

function tableOfGuests(guests: readonly Guest[], output: Output): string {
  return output.table(
    [
      { heading: 'name', text: ({ name }) => name, canShrink: true },
      {
        heading: 'answer',
        text: ({ rsvp_status, maybe, waiting_since }) =>
          maybe ? 'maybe' : waiting_since ? 'waiting' : rsvp_status,
      },
      { heading: 'invited', text: ({ party_size }) => String(party_size), isRight: true },
      { heading: 'coming', text: ({ coming }) => String(coming), isRight: true },
      { heading: 'phone', text: ({ phone }) => phone ?? '' },
      { heading: 'mail', text: ({ email }) => email ?? '', canShrink: true },
      { heading: 'tags', text: ({ tags }) => tags.join(', '), canShrink: true },
    ],
    guests,
  );
}

async function importFile(named: string, file: string, command: Command): Promise<void> {
  const type = TYPES[extname(file).toLowerCase()];
  if (file !== '-' && type === undefined)
    throw usageError(`${file} is none of ${Object.keys(TYPES).join(', ')}.`);
  const content = file === '-' ? Buffer.from(await readStdin()) : await readFile(file);
  const { options, output, client, path } = await beginWithEvent<ImportOptions>(command, named);
  const body = {
    file: new File([content], file === '-' ? 'guests.csv' : basename(file), { type: type ?? 'text/csv' }),
    ...(options.doubles !== undefined && { doubles: options.doubles }),
  };
  const query = {
    ...(options.dryRun && { dry_run: true }),
    ...(options.skipProblems && { on_problem: 'skip' as const }),
  };
  try {
    const { data } = await importGuests({ client, path, query, headers: idempotencyKey(), body });
    output.result(data, ({ import: report }) => describeReport(report, output));
  } catch (error) {
    throw error instanceof SimchaError ? refusalOf(error, output) : error;
  }
}

/** Error of a refused import, with the rows of the file that caused it. With `--json`, prints the import's report. */
function refusalOf(error: SimchaError, output: Output): Error {
  const { import: report } = (error.body ?? {}) as { import?: ImportReport };
  if (!report) return error;
  if (output.isJson) output.result({ import: report }, () => '');
  return new CommandError(`${error.message}\n${describeReport(report, output)}`, {
    hint: 'Correct the file, decide with --doubles skip|create|update, or pass --skip-problems. Nothing was written.',
  });
}

function describeReport(report: ImportReport, output: Output): string {
  const counts = (['created', 'updated', 'unchanged', 'skipped', 'refused', 'asked'] as const)
    .filter((name) => report[name] > 0)
    .map((name) => `${report[name]} ${name}`);
  const problems = report.rows.filter(({ problem }) => problem !== undefined);
  const table = output.table(
    [
      { heading: 'row', text: ({ row }) => String(row), isRight: true },
      { heading: 'name', text: ({ name }) => name, canShrink: true },
      { heading: 'problem', text: ({ problem }) => problem ?? '', canShrink: true },
    ],
    problems.slice(0, 50),
  );
  const sum = `${report.dry_run ? 'Would be: ' : ''}${counts.join(', ') || 'nothing to import'}.`;
  return [
    sum,
    ...(table === '' ? [] : [table]),
    ...(problems.length > 50 ? [`… and ${problems.length - 50} more`] : []),
  ].join('\n');
}

async function exportFile(named: string, file: string | undefined, command: Command): Promise<void> {
  const { output, client, path } = await beginWithEvent(command, named);
  const format = file !== undefined && extname(file).toLowerCase() === '.xlsx' ? 'xlsx' : 'csv';
  const { data } = await exportGuests({ client, path, query: { format }, parseAs: 'blob' });
  const content = Buffer.from(await (data as Blob).arrayBuffer());
  if (file === undefined || file === '-') process.stdout.write(content);
  else {
    await writeFile(file, content, { flag: 'wx', mode: 0o600 });
    output.note(`Saved the guests to ${file}.`);
  }
}

/** Sends a message to guests after their number and the warnings were confirmed. */
async function invite(named: string, command: Command): Promise<void> {
  const { options, output, client, path } = await beginWithEvent<InviteOptions>(command, named);
  const { kind, channel, at } = options;
  const body = {
    ...(kind !== undefined && { kind }),
    ...(channel !== undefined && { channel }),
    ...(at !== undefined && { send_at: at }),
    filter: filterOf(options),
  };
  const { data } = await sendRound({ client, path, body, query: { dry_run: true } });
  if (!('preview' in data)) throw new CommandError('The server sent no preview, so nothing more was done.');
  const { preview } = data;
  if (options.dryRun) return output.result(data, () => describeRound(preview));
  for (const { message } of preview.warnings) output.note(output.wrap(`! ${message}`));
  output.note(describeRound(preview));
  if (preview.chosen === 0) throw new CommandError('No guest would get it.');
  if (!options.yes) await confirm(`Send it to ${counted(preview.chosen, 'guest')}?`);
  const sent = await sendRound({ client, path, body, headers: idempotencyKey() });
  output.result(sent.data, () =>
    at === undefined ? 'The message is being sent.' : `The message is sent at ${at}.`,
  );
}

function describeRound({ kind, channel, chosen, left_out }: RoundPreview): string {
  const others = Object.entries(left_out).map(
    ([reason, count]) => `${count} (${LEFT_OUT_WORDS[reason] ?? reason})`,
  );
  const text = `${kind.replaceAll('_', ' ')} by ${channel}: ${counted(chosen, 'guest')}`;
  return others.length > 0 ? `${text}; not to ${others.join(', ')}.` : `${text}.`;
}
