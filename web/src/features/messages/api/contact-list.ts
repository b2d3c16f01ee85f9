import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type AddedCall,
  addCall,
  idempotencyKey,
  leaveForLater,
  listCalls,
  listNextOfRound,
  markNotTold,
  markTold,
  type NewCall,
  type NextGuest,
  takeNextOfRound,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { roundsOf } from './rounds.ts';

/** Interval, in milliseconds, at which the page asks for the next guest while no guest is to be contacted. */
const WHILE_NOBODY = 15_000;

/**
 * Next guest of the contact list, reserved for the signed-in user. The query is not reloaded with the event: the guest
 * must not change during a phone call.
 */
export const nextGuestQuery = (id: string, roundId: string) =>
  queryOptions({
    queryKey: ['walk', id, roundId],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
    queryFn: async ({ signal }): Promise<NextGuest | null> =>
      (await takeNextOfRound({ client, signal, path: { id, roundId }, headers: idempotencyKey() })).data
        .guest,
    refetchInterval: ({ state }) => (state.data === null && !state.error ? WHILE_NOBODY : false),
  });

/** Number of guests who are still to be contacted, without guests whom other users have reserved. */
export const remainingGuestsQuery = (id: string, roundId: string) =>
  queryOptions({
    queryKey: ['event', id, 'rounds', roundId, 'left'],
    queryFn: async ({ signal }) =>
      (await listNextOfRound({ client, signal, path: { id, roundId }, query: { limit: 1 } })).data.total,
  });

export const callsQuery = (id: string, roundId: string, guestId: string) =>
  queryOptions({
    queryKey: ['event', id, 'rounds', roundId, 'calls', guestId],
    queryFn: async ({ signal }) =>
      (await listCalls({ client, signal, path: { id, roundId, guestId } })).data.calls,
  });

const MARKS = { told: markTold, not_told: markNotTold, later: leaveForLater } as const;
export type GuestMark = keyof typeof MARKS;

/** Returns a function that loads the next guest to contact. Its promise resolves when the guest is loaded. */
function useReadOn(id: string, roundId: string) {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: nextGuestQuery(id, roundId).queryKey }),
      queries.invalidateQueries(roundsOf(id)),
    ]);
}

export function useMarkGuest(id: string, roundId: string) {
  return useMutation({
    mutationFn: ({ guestId, mark }: { guestId: string; mark: GuestMark }) =>
      MARKS[mark]({ client, path: { id, roundId, guestId }, headers: idempotencyKey() }),
    onSuccess: useReadOn(id, roundId),
  });
}

export function useAddCall(id: string, roundId: string, guestId: string) {
  return useMutation({
    mutationFn: async ({ body, key }: { body: NewCall; key: string }): Promise<AddedCall> => {
      const headers = { 'idempotency-key': key };
      return (await addCall({ client, path: { id, roundId, guestId }, headers, body })).data;
    },
    onSuccess: useReadOn(id, roundId),
  });
}
