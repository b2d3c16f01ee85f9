import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { SharedEvent } from 'simcha-client';
import { useSession } from '../../sign-in/api/session.ts';
import { eventQuery, sharedEventsQuery } from './events.ts';

/** Signed-in user's access to an event: `owner` created the event and shares it with the others. */
export type Access = 'owner' | 'edit' | 'view';

/** Access that the signed-in user has or that the event is shared with. */
function useSharedAccess(eventId: string): 'owner' | SharedEvent['access'] {
  const session = useSession();
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const isOwner = event.organizer_id === session?.user.user_id;
  // The route of the event's pages has already loaded the list of events that are shared with the user.
  const { data: shared } = useQuery({ ...sharedEventsQuery, enabled: !isOwner });
  if (isOwner) return 'owner';
  return shared?.find((one) => one.event.id === eventId)?.access ?? 'view_without_contacts';
}

/** Signed-in user's access to an event. The event's pages offer only what this access allows. */
export function useAccess(eventId: string): Access {
  const access = useSharedAccess(eventId);
  return access === 'view_without_contacts' ? 'view' : access;
}

/** True if the signed-in user sees the contact details of an event's guests, and the messages with them. */
export function useSeesContacts(eventId: string): boolean {
  return useSharedAccess(eventId) !== 'view_without_contacts';
}

/** True if the signed-in user may edit an event. Nobody can edit a cancelled event. */
export function useMayEdit(eventId: string): boolean {
  const access = useAccess(eventId);
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  return access !== 'view' && event.status !== 'cancelled';
}
