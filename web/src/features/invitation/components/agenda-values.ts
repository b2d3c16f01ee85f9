import type { AgendaItem, NewAgendaItem } from 'simcha-client';
import { dayAfter, dayOf, timeOfDay, wallTimeOf } from '../../../lib/dates.ts';

/** Values of the agenda item form; an empty field is ''. */
export type ItemValues = {
  item_title: string;
  date: string | null;
  time: string;
  end_time: string;
  /**
   * Day on which an agenda item ends that takes longer than a day. Other items end on their own day, or in the night
   * after it.
   */
  end_date: string | null;
  speaker: string;
  place: string;
  item_description: string;
};

export function itemValuesOf(item: AgendaItem): ItemValues {
  const values: ItemValues = {
    item_title: item.title,
    date: dayOf(item.starts_at),
    time: timeOfDay(item.starts_at, 'en'),
    end_time: item.ends_at ? timeOfDay(item.ends_at, 'en') : '',
    end_date: null,
    speaker: item.speaker ?? '',
    place: item.place ?? '',
    item_description: item.description ?? '',
  };
  const end = item.ends_at && dayOf(item.ends_at);
  return end && end !== lastDayOf(values) ? { ...values, end_date: end } : values;
}

/**
 * Day on which an agenda item ends, if only the time of its end is given: the next day if that time is not after the
 * start.
 */
const lastDayOf = ({ date, time, end_time: end }: ItemValues): string | null =>
  date && end && end <= time ? dayAfter(date, 1) : date;

export function itemBodyOf(values: ItemValues): NewAgendaItem {
  const { end_date: date = null, end_time: time } = values;
  return {
    title: values.item_title.trim(),
    starts_at: wallTimeOf(values) ?? '',
    ends_at: wallTimeOf({ date: date ?? lastDayOf(values), time }) ?? null,
    speaker: values.speaker.trim() || null,
    place: values.place.trim() || null,
    description: values.item_description.trim() || null,
  };
}

/** Default values of a new agenda item: it begins when the last item ends, or when the event begins. */
export function nextItem(items: readonly AgendaItem[], eventDate: string | null): ItemValues {
  const last = items.at(-1);
  const at = last?.ends_at ?? last?.starts_at ?? eventDate;
  return {
    item_title: '',
    date: at && dayOf(at),
    time: at ? timeOfDay(at, 'en') : '',
    end_time: '',
    end_date: null,
    speaker: '',
    place: '',
    item_description: '',
  };
}

const FIELDS: Readonly<Record<string, keyof ItemValues>> = {
  title: 'item_title',
  description: 'item_description',
  starts_at: 'time',
  ends_at: 'end_time',
};
export const fieldOfItem = (field: string): string => FIELDS[field] ?? field;

/** Request body that creates a deleted agenda item again. */
export const itemAgain = ({ title, starts_at, ends_at, speaker, place, description }: AgendaItem) => ({
  title,
  starts_at,
  ends_at,
  speaker,
  place,
  description,
});
