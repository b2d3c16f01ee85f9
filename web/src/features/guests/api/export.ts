import { exportGuests } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { type Language, NAME_OF } from '../../../lib/languages.ts';
import { fileOf } from '../../../lib/save-file.ts';
import type { GuestFilter } from './search.ts';

interface Wanted {
  eventId: string;
  format: 'csv' | 'xlsx';
  /** `people`: a row for each person of a party. */
  rows: 'guests' | 'people';
  /** Language of the column headings in the exported file. */
  language: Language;
  filter: GuestFilter;
}

/** Exports the guest list as a file, under the name that the server gives it. */
export async function readExport({ eventId, format, rows, language, filter }: Wanted): Promise<File> {
  const { data, response } = await exportGuests({
    client,
    path: { id: eventId },
    query: { ...filter, format, rows, language: NAME_OF[language] },
    parseAs: 'blob',
  });
  return fileOf(data, response, `guests.${format}`);
}
