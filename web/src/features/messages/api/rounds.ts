import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import {
  callOffRound,
  idempotencyKey,
  listRoundChannels,
  listRoundGuests,
  listRounds,
  listTags,
  type NewRound,
  paginate,
  type Round,
  type RoundChanges,
  type RoundGuest,
  type RoundPreviewAnswer,
  readRound,
  type SentRound,
  sendRound,
  suggestRounds,
  updateRound,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { isByPeople } from './kinds.ts';
import type { RoundSearch } from './search.ts';

/** Interval at which a round is reloaded while it is being sent, in milliseconds. */
const WHILE_SENDING = 2_000;
/** Page size of tag lists: the server's maximum, which is more than any event's number of tags. */
const ALL = 1_000;
export const ROUNDS_A_PAGE = 20;

const isGoingOut = ({ state, channel }: Round) => state === 'sending' && !isByPeople(channel);

export const roundsQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: ['event', id, 'rounds', 'list', page],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await listRounds({ client, signal, path: { id }, query: { page, limit: ROUNDS_A_PAGE } })).data,
    refetchInterval: ({ state }) => (state.data?.rounds.some(isGoingOut) ? WHILE_SENDING : false),
  });

/** Query for suggested rounds, only for users who may edit the event. */
export const suggestedQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'rounds', 'suggested'],
    queryFn: async ({ signal }) => (await suggestRounds({ client, signal, path: { id } })).data.suggested,
  });

export const channelsQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'rounds', 'channels'],
    queryFn: async ({ signal }) => (await listRoundChannels({ client, signal, path: { id } })).data.channels,
  });

export const tagsQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'tags'],
    queryFn: async ({ signal }) =>
      (await listTags({ client, signal, path: { id }, query: { limit: ALL } })).data.tags,
  });

export interface ReadRound {
  round: Round;
  etag: string;
}

export const roundQuery = (id: string, roundId: string) =>
  queryOptions({
    queryKey: ['event', id, 'rounds', roundId],
    async queryFn({ signal }): Promise<ReadRound> {
      const { data, response } = await readRound({ client, signal, path: { id, roundId } });
      return { round: data.round, etag: response.headers.get('etag') ?? '' };
    },
    refetchInterval: ({ state }) => (state.data && isGoingOut(state.data.round) ? WHILE_SENDING : false),
  });

const GUESTS_A_PAGE = 50;

/**
 * Query for the guests of a round that match the search. Its key has the round's counts, so that the list follows them.
 */
export const roundGuestsQuery = (id: string, round: Round, { show, q }: RoundSearch) =>
  infiniteQueryOptions({
    queryKey: ['event', id, 'rounds', round.id, 'guests', { show, q }, round.state, round.bounced],
    placeholderData: keepPreviousData,
    initialPageParam: 1,
    queryFn: async ({ signal, pageParam: page }) => {
      const asked = { ...(show && { delivery: show }), ...(q && { search: q }) };
      const query = { ...asked, page, limit: GUESTS_A_PAGE };
      return (await listRoundGuests({ client, signal, path: { id, roundId: round.id }, query })).data;
    },
    getNextPageParam: ({ page, limit, total }) => (page * limit < total ? page + 1 : undefined),
  });

/** Reasons why a channel can't reach a guest. That the guest wants no messages is not one of them. */
const WITHOUT_A_WAY: readonly RoundGuest['left_out'][] = [
  'no_email',
  'no_phone',
  'no_mobile',
  'wrong_number',
];

/** Guests whom a round did not reach: bounced messages first, then guests without an address for the channel. */
export const unreachedQuery = (id: string, roundId: string) =>
  queryOptions({
    queryKey: ['event', id, 'rounds', roundId, 'unreached'],
    async queryFn({ signal }): Promise<RoundGuest[]> {
      const read = (query: { page: number; limit: number }) =>
        listRoundGuests({
          client,
          signal,
          path: { id, roundId },
          query: { ...query, delivery: ['bounced', 'left_out'] },
        });
      const found: RoundGuest[] = [];
      for await (const guest of paginate(read, ALL))
        if (guest.delivery === 'bounced' || WITHOUT_A_WAY.includes(guest.left_out)) found.push(guest);
      return found.sort(
        (one, other) => Number(one.delivery === 'left_out') - Number(other.delivery === 'left_out'),
      );
    },
  });

/** Query for the preview of a round: its guests and texts. Nothing is sent. */
export const previewQuery = (id: string, body: NewRound) =>
  queryOptions({
    queryKey: ['event', id, 'rounds', 'preview', body],
    staleTime: 0,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { dry_run: true, limit: 1 };
      const { data } = await sendRound({ client, signal, path: { id }, query, body });
      return (data as RoundPreviewAnswer).preview;
    },
  });

export const roundsOf = (id: string) => ({ queryKey: ['event', id, 'rounds'] });

export function useSendRound(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, key }: { body: NewRound; key: string }) => {
      const headers = { 'idempotency-key': key };
      return (await sendRound({ client, path: { id }, headers, body })).data as SentRound;
    },
    onSuccess: () => queries.invalidateQueries(roundsOf(id)),
  });
}

/** Changes a scheduled round and reloads it after success and after failure, since it may have been sent meanwhile. */
export function useChangeRound(id: string, roundId: string) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn({ body, etag }: { body: RoundChanges; etag: string }): Promise<ReadRound> {
      const headers = { 'if-match': etag };
      const { data, response } = await updateRound({ client, path: { id, roundId }, body, headers });
      return { round: data.round, etag: response.headers.get('etag') ?? '' };
    },
    onSettled: () => queries.invalidateQueries(roundsOf(id)),
  });
}

export function useCallOffRound(id: string, roundId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => callOffRound({ client, path: { id, roundId }, headers: idempotencyKey() }),
    onSettled: () => queries.invalidateQueries(roundsOf(id)),
  });
}
