import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useSession } from '../../sign-in/api/session.ts';
import { eventQuery, sharedEventsQuery } from './events.ts';

/** Signed-in user's access to an event: `owner` created the event and shares it with the others. */
export type Access = 'owner' | 'edit' | 'view';

/** Signed-in user's access to an event. The event's pages offer only what this access allows. */
export function useAccess(eventId: string): Access {
  const session = useSession();
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const isOwner = event.organizer_id === session?.user.user_id;
  // The event's route has loaded the list before its pages are shown.
  const { data: shared } = useQuery({ ...sharedEventsQuery, enabled: !isOwner });
  if (isOwner) return 'owner';
  return shared?.find((one) => one.event.id === eventId)?.access ?? 'view';
}

/** True if the signed-in user may edit an event. Nobody can edit a cancelled event. */
export function useMayEdit(eventId: string): boolean {
  const access = useAccess(eventId);
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  return access !== 'view' && event.status !== 'cancelled';
}
