import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type CoOrganizer,
  changeCoOrganizer,
  idempotencyKey,
  inviteCoOrganizer,
  listCoOrganizers,
  type NewCoOrganizer,
  removeCoOrganizer,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { eventsQuery } from '../../events/api/events.ts';

export const coOrganizersQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'co-organizers'],
    queryFn: async ({ signal }) =>
      (await listCoOrganizers({ client, signal, path: { id } })).data.co_organizers,
  });

type Change =
  | { kind: 'invite'; body: NewCoOrganizer }
  | { kind: 'change'; one: CoOrganizer; access: CoOrganizer['access'] }
  | { kind: 'remove'; one: CoOrganizer };

/** Invites, changes or removes co-organizers of an event. The list is reloaded after success and after failure. */
export function useShare(id: string) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn(change: Change): Promise<void> {
      if (change.kind === 'invite') {
        await inviteCoOrganizer({ client, path: { id }, headers: idempotencyKey(), body: change.body });
        return;
      }
      const path = { id, coOrganizerId: change.one.id };
      if (change.kind === 'remove') await removeCoOrganizer({ client, path });
      else await changeCoOrganizer({ client, path, body: { access: change.access } });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: coOrganizersQuery(id).queryKey }),
  });
}

/** Ends the signed-in user's own access to an event. */
export function useLeave(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (one: CoOrganizer) => removeCoOrganizer({ client, path: { id, coOrganizerId: one.id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: eventsQuery.queryKey }),
  });
}
