import { DEFAULT_ZONE } from '../../kernel/clock.ts';
import {
  amount,
  choice,
  count,
  dateTime,
  FieldProblem,
  type Fields,
  fieldsOf,
  isBlank,
  text,
  timeOfDay,
  withoutUndefined,
} from '../../kernel/fields.ts';
import { LANGUAGE_NAMES } from '../../kernel/languages.ts';
import { type Page, readPage } from '../../kernel/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { DEFAULTS, KASHRUT_LEVELS, LENGTHS } from './contract.ts';
import { endsEvent, hasChecklist, isStatus, mayMove, type Status } from './lifecycle.ts';
import { messages } from './messages.ts';

/** What an organizer decides about a new event; the rest (ids, times) is ours. */
export interface NewEvent {
  title: string;
  event_date: Temporal.Instant;
  venue_name: string;
  venue_address: string | null;
  description: string | null;
  max_guests: number | null;
  venue_capacity: number | null;
  max_plus_ones_buffer: number;
  kashrut_level: string;
  noise_curfew_time: string;
  language_pref: string;
  budget: number | null;
  retention_policy_days: number;
  compliance_dismissed: boolean;
}

export type EventChanges = Partial<
  Omit<NewEvent, 'retention_policy_days' | 'compliance_dismissed' | 'kashrut_level' | 'language_pref'>
> & {
  /** Not judged here: the database refuses what is not in its list, and the contract wants that as a 500. */
  kashrut_level?: unknown;
  language_pref?: unknown;
  status?: Status;
};

/** The new event a body describes. Throws for the first check that fails, in the contract's order. */
export function readNewEvent(body: unknown, now: Temporal.Instant): NewEvent {
  const fields = fieldsOf(body);
  const title = required('title', fields.title, LENGTHS.title);
  if (isBlank(fields.event_date)) throw new FieldProblem('event_date', { kind: 'missing' });
  const venue_name = required('venue_name', fields.venue_name, LENGTHS.venue_name);
  const event_date = futureDate(fields.event_date, now);
  const kashrut_level = fields.kashrut_level
    ? choice('kashrut_level', fields.kashrut_level, KASHRUT_LEVELS)
    : DEFAULTS.kashrut_level;
  const language_pref = fields.language_pref
    ? choice('language_pref', fields.language_pref, LANGUAGE_NAMES)
    : DEFAULTS.language_pref;

  const max_guests = truthy(fields.max_guests, (value) => count('max_guests', value)) ?? null;
  return {
    title,
    event_date,
    venue_name,
    venue_address:
      given(fields.venue_address, (value) => text('venue_address', value, LENGTHS.venue_address)) ?? null,
    description:
      given(fields.description, (value) => text('description', value, LENGTHS.description)) ?? null,
    max_guests,
    venue_capacity: truthy(fields.venue_capacity, (value) => count('venue_capacity', value)) ?? null,
    max_plus_ones_buffer:
      countFromZero('max_plus_ones_buffer', fields.max_plus_ones_buffer) ?? DEFAULTS.max_plus_ones_buffer,
    kashrut_level,
    noise_curfew_time:
      truthy(fields.noise_curfew_time, (value) => timeOfDay('noise_curfew_time', value)) ??
      DEFAULTS.noise_curfew_time,
    language_pref,
    budget: truthy(fields.budget, (value) => amount('budget', value)) ?? null,
    retention_policy_days:
      countFromZero('retention_policy_days', fields.retention_policy_days) ?? DEFAULTS.retention_policy_days,
    compliance_dismissed: Boolean(fields.compliance_dismissed) && hasChecklist(max_guests),
  };
}

/** What a body changes of an event in `current` status. Throws for the first check that fails, in the contract's order. */
export function readChanges(body: unknown, current: Status, now: Temporal.Instant): EventChanges {
  if (current === 'cancelled') throw new Refusal(400, 'cancelled', messages.cancelledIsFinal);
  const fields = fieldsOf(body);
  const status = isBlank(fields.status) ? undefined : nextStatus(current, fields.status);
  const event_date = given(fields.event_date, (value) =>
    endsEvent(status) ? dateTime('event_date', value, DEFAULT_ZONE) : futureDate(value, now),
  );
  return withoutUndefined({
    status,
    event_date,
    title: given(fields.title, (value) => text('title', value, LENGTHS.title)),
    venue_name: given(fields.venue_name, (value) => text('venue_name', value, LENGTHS.venue_name)),
    venue_address: given(fields.venue_address, (value) =>
      text('venue_address', value, LENGTHS.venue_address),
    ),
    description: given(fields.description, (value) => text('description', value, LENGTHS.description)),
    max_guests: given(fields.max_guests, (value) => count('max_guests', value)),
    venue_capacity: given(fields.venue_capacity, (value) => count('venue_capacity', value)),
    max_plus_ones_buffer: changedBuffer(fields.max_plus_ones_buffer),
    kashrut_level: given(fields.kashrut_level, trimmed),
    noise_curfew_time: given(fields.noise_curfew_time, (value) => timeOfDay('noise_curfew_time', value)),
    language_pref: given(fields.language_pref, trimmed),
    budget: given(fields.budget, (value) => amount('budget', value)),
  });
}

/** Whether a body asks not to be shown the checklist: anything truthy does. */
export function dismissesChecklist(body: unknown): boolean {
  return Boolean(fieldsOf(body).compliance_dismissed);
}

/** The page a query asks for, and the status it asks about, if it is one. */
export function readPaging(query: Fields): Page & { status: Status | undefined } {
  const { status } = query;
  return { ...readPage(query), status: isStatus(status) ? status : undefined };
}

function nextStatus(current: Status, wanted: unknown): Status {
  const status = trimmed(wanted);
  if (!isStatus(status)) {
    throw new Refusal(400, 'unknown_status', messages.unknownStatus, { field: 'status' });
  }
  if (!mayMove(current, status))
    throw new Refusal(400, 'disallowed_status', messages.moves[current], { field: 'status' });
  return status;
}

function required(field: string, value: unknown, most: number): string {
  if (isBlank(value)) throw new FieldProblem(field, { kind: 'missing' });
  return text(field, value, most);
}

function futureDate(value: unknown, now: Temporal.Instant): Temporal.Instant {
  const instant = dateTime('event_date', value, DEFAULT_ZONE);
  if (Temporal.Instant.compare(instant, now) < 0) throw new FieldProblem('event_date', { kind: 'past' });
  return instant;
}

/** Reads a value unless it is blank: on update, and for text, "not given" is judged after trimming. */
function given<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return isBlank(value) ? undefined : read(value);
}

/** Reads a value unless it is falsy. */
function truthy<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value ? read(value) : undefined;
}

/** The fields in which 0 means 0 and not "not given". */
function countFromZero(field: string, value: unknown): number | undefined {
  return value === 0 ? 0 : truthy(value, (some) => count(field, some));
}

/** Parsed, so text of digits will do; but only a number can make it 0. */
function changedBuffer(value: unknown): number | undefined {
  const parsed =
    typeof value === 'string' && /^\s*\d{1,10}\s*$/.test(value) ? Number(value) || undefined : value;
  return countFromZero('max_plus_ones_buffer', isBlank(parsed) && parsed !== 0 ? undefined : parsed);
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}
