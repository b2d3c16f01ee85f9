import { useSuspenseQuery } from '@tanstack/react-query';
import { useSession } from '../../sign-in/api/session.ts';
import { eventQuery, sharedEventsQuery } from './events.ts';

/** Access of the signed-in user: `owner` created the event and shares it with the others. */
export type Access = 'owner' | 'edit' | 'view';

/** Access of the signed-in user to an event. Its pages offer only what this allows. */
export function useAccess(eventId: string): Access {
  const session = useSession();
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const { data: shared } = useSuspenseQuery(sharedEventsQuery);
  if (event.organizer_id === session?.user.user_id) return 'owner';
  return shared.find((one) => one.event.id === eventId)?.access ?? 'view';
}

/** True if the signed-in user may edit an event. Cancelled events can't be edited by anybody. */
export function useMayEdit(eventId: string): boolean {
  const access = useAccess(eventId);
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  return access !== 'view' && event.status !== 'cancelled';
}
