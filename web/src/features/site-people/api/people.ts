import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  changePerson,
  idempotencyKey,
  invitePerson,
  listPeople,
  type NewPerson,
  type Person,
  removePerson,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { siteKey, sitesQuery } from '../../sites/api/sites.ts';

export const peopleQuery = (name: string) =>
  queryOptions({
    queryKey: [...siteKey(name), 'people'],
    queryFn: async ({ signal }) => (await listPeople({ client, signal, path: { uuid: name } })).data.people,
  });

type Change =
  | { kind: 'invite'; body: NewPerson }
  | { kind: 'change'; person: Person; role: Person['role'] }
  | { kind: 'remove'; person: Person };

/** Invites, changes or removes people of a site. The list is read again after success and after failure. */
export function useShareSite(name: string) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn(change: Change): Promise<void> {
      if (change.kind === 'invite') {
        await invitePerson({ client, path: { uuid: name }, headers: idempotencyKey(), body: change.body });
        return;
      }
      const path = { uuid: name, person: change.person.id };
      if (change.kind === 'remove') await removePerson({ client, path });
      else await changePerson({ client, path, body: { role: change.role } });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: peopleQuery(name).queryKey }),
  });
}

/** Ends the signed-in user's own access to a site. */
export function useLeaveSite(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (me: Person) => removePerson({ client, path: { uuid: name, person: me.id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: sitesQuery.queryKey }),
  });
}
