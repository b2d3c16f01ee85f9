import { useSuspenseQuery } from '@tanstack/react-query';
import { useSession } from '../../sign-in/api/session.ts';
import { eventQuery, sharedEventsQuery } from './events.ts';

/** `owner`: whose event it is; the others have it from them. */
export type Access = 'owner' | 'edit' | 'view';

/** What whoever is here may do with an event; its pages offer no more. */
export function useAccess(eventId: string): Access {
  const session = useSession();
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const { data: shared } = useSuspenseQuery(sharedEventsQuery);
  if (event.organizer_id === session?.user.user_id) return 'owner';
  return shared.find((one) => one.event.id === eventId)?.access ?? 'view';
}

/** Whether whoever is here may change what is in an event: nobody may once it is cancelled. */
export function useMayEdit(eventId: string): boolean {
  const access = useAccess(eventId);
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  return access !== 'view' && event.status !== 'cancelled';
}
