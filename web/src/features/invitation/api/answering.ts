import type { QueryClient } from '@tanstack/react-query';
import { type RsvpSettingsChanges, updateRsvpSettings } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { answeringQuery, type ReadAnswering } from '../../guests/api/guests.ts';

export async function changeAnswering(
  queries: QueryClient,
  id: string,
  body: RsvpSettingsChanges,
  etag: string,
): Promise<ReadAnswering> {
  const headers = { 'if-match': etag };
  const { data, response } = await updateRsvpSettings({ client, path: { id }, body, headers });
  const read = { settings: data.settings, etag: response.headers.get('etag') ?? '' };
  queries.setQueryData(answeringQuery(id).queryKey, read);
  return read;
}
