import { useSuspenseQuery } from '@tanstack/react-query';
import { useAccess } from '../../events/api/access.ts';
import { eventQuery } from '../../events/api/events.ts';

/** Whether whoever is here may change the list: it is theirs, or shared to be edited, and the event is not called off. */
export function useMayChange(eventId: string): boolean {
  const access = useAccess(eventId);
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  return access !== 'view' && event.status !== 'cancelled';
}
