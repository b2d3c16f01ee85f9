import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  deletePicture,
  type EventInvitation,
  type EventInvitationChanges,
  type Picture,
  type Progress,
  putPicture,
  readEventInvitation,
  readPicture,
  updateEventInvitation,
} from 'simcha-client';
import { client, withProgress } from '../../../lib/api.ts';

export interface ReadInvitation {
  invitation: EventInvitation;
  etag: string;
}

export const invitationQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'invitation'],
    async queryFn({ signal }): Promise<ReadInvitation> {
      const { data, response } = await readEventInvitation({ client, signal, path: { id } });
      return { invitation: data.invitation, etag: response.headers.get('etag') ?? '' };
    },
  });

export async function changeInvitation(
  queries: QueryClient,
  id: string,
  body: EventInvitationChanges,
  etag: string,
): Promise<ReadInvitation> {
  const headers = { 'if-match': etag };
  const { data, response } = await updateEventInvitation({ client, path: { id }, body, headers });
  const read = { invitation: data.invitation, etag: response.headers.get('etag') ?? '' };
  queries.setQueryData(invitationQuery(id).queryKey, read);
  // The calendar's advice is reloaded, because new coordinates change the time of sunset, and a new end of the event
  // changes which advice applies.
  queries.invalidateQueries({ queryKey: ['event', id, 'calendar'] }).catch(() => {});
  return read;
}

/**
 * Path of a picture without the server's name. The console loads pictures from the server that delivered the page, even
 * if the public address is another one.
 */
const own = (url: string): string => new URL(url).pathname;

export const pictureQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'picture'],
    async queryFn({ signal }): Promise<Picture | null> {
      const { picture } = (await readPicture({ client, signal, path: { id } })).data;
      return picture && seenHere(picture);
    },
  });

const seenHere = (picture: Picture): Picture => ({
  ...picture,
  url: own(picture.url),
  small_url: own(picture.small_url),
});

/** Downloads the invitation's picture, so that Undo can restore it. */
async function fileOf({ url }: Picture): Promise<Blob> {
  const { data } = await client.get<Blob, unknown, true>({ url, parseAs: 'blob' });
  return data as Blob;
}

interface PictureChange {
  /** File of the new picture for the invitation; null removes the picture. */
  file: Blob | null;
  onProgress?(progress: Progress): void;
}

/** Replaces or removes the invitation's picture. Returns the previous picture, so that Undo can restore it. */
export function useChangePicture(id: string) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn({ file, onProgress = () => {} }: PictureChange): Promise<Blob | undefined> {
      const now = await queries.ensureQueryData(pictureQuery(id));
      const former = now ? await fileOf(now) : undefined;
      const path = { id };
      if (file) await putPicture({ client, path, body: file, ...withProgress(onProgress) });
      else await deletePicture({ client, path });
      return former;
    },
    onSettled: () => queries.invalidateQueries({ queryKey: pictureQuery(id).queryKey }),
  });
}
