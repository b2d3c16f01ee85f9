import type { QueryClient } from '@tanstack/react-query';
import { type RsvpSettingsChanges, updateRsvpSettings } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { type ReadRsvpSettings, versionedRsvpSettingsQuery } from '../../guests/api/guests.ts';

export async function changeRsvpSettings(
  queries: QueryClient,
  id: string,
  body: RsvpSettingsChanges,
  etag: string,
): Promise<ReadRsvpSettings> {
  const headers = { 'if-match': etag };
  const { data, response } = await updateRsvpSettings({ client, path: { id }, body, headers });
  const read = { settings: data.settings, etag: response.headers.get('etag') ?? '' };
  queries.setQueryData(versionedRsvpSettingsQuery(id).queryKey, read);
  return read;
}
