import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { listAnswerDays, listGuests, readCatererCsv, readGuestNumbers } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { type Language, NAME_OF } from '../../../lib/languages.ts';
import { fileOf } from '../../../lib/save-file.ts';
import type { DietFilter } from '../../guests/api/search.ts';

export interface NumbersOf {
  tag?: string[];
  diet?: DietFilter[];
}

export const numbersQuery = (eventId: string, of: NumbersOf = {}) =>
  queryOptions({
    queryKey: ['event', eventId, 'numbers', of],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await readGuestNumbers({ client, signal, path: { id: eventId }, query: of })).data.numbers,
  });

/**
 * Replies by the day on which they were given. A changed reply counts with its present value. They are reloaded with
 * the statistics.
 */
export const answerDaysQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['event', eventId, 'numbers', 'days'],
    queryFn: async ({ signal }) =>
      (await listAnswerDays({ client, signal, path: { id: eventId } })).data.days,
  });

/**
 * Maximum number of guests with allergies that the statistics name; the others are in the guest list and in the
 * catering report.
 */
const NAMED = 20;

/** Query for the confirmed guests with allergies, by name. */
export const allergicQuery = (eventId: string, tag: string[] | undefined) =>
  queryOptions({
    queryKey: ['event', eventId, 'numbers', 'allergic', tag],
    queryFn: async ({ signal }) => {
      const query = { status: 'confirmed', diet: 'allergies', limit: NAMED, ...(tag && { tag }) };
      return (await listGuests({ client, signal, path: { id: eventId }, query })).data;
    },
  });

/** Address of the printable catering report. */
export const catererPage = (eventId: string, language: Language): string =>
  `/api/events/${eventId}/guests/caterer?language=${NAME_OF[language]}`;

export async function readCatererSheet(eventId: string, language: Language): Promise<File> {
  const { data, response } = await readCatererCsv({
    client,
    path: { id: eventId },
    query: { language: NAME_OF[language] },
    parseAs: 'blob',
  });
  return fileOf(data, response, 'caterer.csv');
}
