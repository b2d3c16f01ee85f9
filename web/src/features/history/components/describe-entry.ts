import { dateAndTime, formatNumber, formatShekels, joinTexts, shortDay } from '../../../lib/dates.ts';
import type { Language } from '../../../lib/languages.ts';
import { sayIn } from '../../../lib/words.ts';
import { type Member, membersText } from '../../guests/api/members.ts';
import type { HistoryEntry } from '../api/history.ts';
import { words } from '../words.ts';

type Key = keyof typeof words;
type KeyOf<P extends string> = Extract<Key, `${P}${string}`>;
const known = <P extends string>(prefix: P, name: string): KeyOf<P> | undefined =>
  prefix + name in words ? (`${prefix}${name}` as KeyOf<P>) : undefined;

/** Fields whose changes the history does not show: they follow from other fields, or mean nothing to people. */
const HIDDEN_FIELDS = new Set([
  'answered_at',
  'answered_via',
  'waiting_since',
  'open_url',
  'plates_charged',
  'total',
  'vendor_id',
  'vendor_kind',
  'item',
  'copied_to',
]);
const MONEY = new Set(['budget', 'price', 'price_per_plate', 'price_per_child', 'deposit']);
const LONGEST = 80;

export interface DescribedEntry {
  sentence: string;
  /** Texts about the changed fields of a history entry, one line for each field. */
  details: string[];
}

interface Knowing {
  language: Language;
  /** Titles of checklist items, by the items' names. */
  items: ReadonlyMap<string, string>;
}

/** Describes an entry of an event's history in words. */
export function describeEntry(entry: HistoryEntry, { language, items }: Knowing): DescribedEntry {
  const say = sayIn(words, language);
  const { subject, subject_name: name, action } = entry;
  const changes = { ...entry.changes };
  const to = (field: string) => changes[field]?.to;
  const details = () => detailsOf(changes, language);

  if (subject === 'event' && action === 'changed') {
    const state = to('status');
    if (state === 'published' || state === 'completed' || state === 'cancelled') {
      delete changes.status;
      return { sentence: say(`event_${state}`), details: details() };
    }
    if ('compliance_dismissed' in changes)
      return {
        sentence: say(to('compliance_dismissed') ? 'event_put_away' : 'event_brought_back'),
        details: [],
      };
  }
  if (subject === 'checklist') {
    const what = items.get(String(to('item') ?? ''));
    return {
      sentence: what ? say('checklist_item', { what }) : say('checklist_changed'),
      details: details(),
    };
  }
  if (subject === 'co_organizer') {
    const who = String(to('email') ?? changes.email?.from ?? say('someone'));
    delete changes.email;
    const key = known('co_organizer_', action);
    if (key) return { sentence: say(key, { who }), details: action === 'deleted' ? [] : details() };
  }
  if (subject === 'guest' || subject === 'booking') {
    const who = name ?? textOf(to('name')) ?? say(subject === 'guest' ? 'aGuest' : 'aVendor');
    if (subject === 'booking') {
      const paid = newlyPaid(changes.payments);
      if (paid !== undefined) {
        delete changes.payments;
        const sentence = say('booking_paid', { who, amount: formatShekels(paid, language) });
        return { sentence, details: details() };
      }
    }
    if (action === 'erased') return { sentence: say('guest_erased'), details: [] };
    if (action === 'imported') {
      for (const count of ['created', 'updated']) if (!to(count)) delete changes[count];
      return { sentence: say('guest_imported'), details: details() };
    }
    const key = known(`${subject}_`, action);
    if (key)
      return { sentence: (say as (key: Key, values: object) => string)(key, { who }), details: details() };
  }
  const key = known('', `${subject}_${action}`);
  return {
    sentence: key ? (say as (key: Key, values: object) => string)(key, {}) : say('something'),
    details: details(),
  };
}

type Changes = NonNullable<HistoryEntry['changes']>;

function detailsOf(changes: Changes, language: Language): string[] {
  const say = sayIn(words, language);
  const shown = Object.entries(changes).filter(([field]) => !HIDDEN_FIELDS.has(field));
  const named = shown.flatMap(([name, { from, to }]) => {
    const key = known('field_', name);
    if (!key) return [];
    const field = say(key);
    const [was, is] = [from, to].map((value) => formatValue(name, value, language));
    if (is === undefined) return [say('touched', { field })];
    const wasEmpty =
      [null, undefined, '', 0, false].some((empty) => empty === from) ||
      (Array.isArray(from) && from.length === 0);
    return [
      was === undefined || wasEmpty
        ? say('set', { field, to: is })
        : say('change', { field, from: was, to: is }),
    ];
  });
  const others = shown.length - named.length;
  return others > 0 && named.length > 0 ? [...named, say('others', { n: others })] : named;
}

/** Formats the value of a changed field for the history; undefined if the value is too complex for one line. */
function formatValue(field: string, value: unknown, language: Language): string | undefined {
  const say = sayIn(words, language);
  if (value === null || value === undefined || value === '') return say('empty');
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no');
  if (typeof value === 'number')
    return MONEY.has(field) ? formatShekels(value, language) : formatNumber(value, language);
  if (field === 'members') return membersText(value as Member[], undefined, language) || say('empty');
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.length > 0 ? joinTexts(value, language) : say('empty');
  if (typeof value !== 'string') return undefined;
  if (/^https?:/.test(value)) return undefined;
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return dateAndTime(value, language);
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return shortDay(value, language);
  const key = known('value_', value);
  if (key) return say(key);
  return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
}

/** Amount by which a change increased the paid payments of a booking. */
function newlyPaid(change: Changes[string] | undefined): number | undefined {
  if (!change) return undefined;
  const [before, after] = [paidOf(change.from), paidOf(change.to)];
  const sum = [...after].reduce((all, [id, amount]) => (before.has(id) ? all : all + amount), 0);
  return sum > 0 && before.size < after.size ? sum : undefined;
}

/** Amounts of the payments that are marked as paid, by the payments' ids. */
function paidOf(payments: unknown): Map<unknown, number> {
  const list = Array.isArray(payments) ? (payments as Record<string, unknown>[]) : [];
  return new Map(
    list.flatMap(({ id, amount, paid_date: paid }) =>
      paid && typeof amount === 'number' ? [[id, amount] as const] : [],
    ),
  );
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
