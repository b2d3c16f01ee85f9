import { exportGuests } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import type { Language } from '../../../lib/languages.ts';
import type { Filter } from './search.ts';

const NAMES = { he: 'hebrew', ar: 'arabic', en: 'english' } as const;

interface Wanted {
  eventId: string;
  format: 'csv' | 'xlsx';
  /** Of the headings. */
  language: Language;
  filter: Filter;
}

/** The list as a file, under the name that the server gives it. */
export async function readExport({ eventId, format, language, filter }: Wanted): Promise<File> {
  const { data, response } = await exportGuests({
    client,
    path: { id: eventId },
    query: { ...filter, format, language: NAMES[language] },
    parseAs: 'blob',
  });
  const disposition = response.headers.get('content-disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename="?([^";]+)"?/i.exec(disposition)?.[1];
  const name = encoded ? decodeURIComponent(encoded) : (plain ?? `guests.${format}`);
  return new File([data], name, { type: data.type });
}
