import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ToDo } from './to-do.ts';

/** Link to the page where the user does a task. */
export function ToDoLink({
  toDo,
  ...link
}: {
  toDo: ToDo;
  className?: string | undefined;
  children: ReactNode;
}) {
  const params = { eventId: toDo.event.id };
  switch (toDo.kind) {
    case 'requests':
      return <Link to="/events/$eventId/waiting" params={params} search={{ show: 'requests' }} {...link} />;
    case 'plus_ones':
      return <Link to="/events/$eventId/guests" params={params} search={{ plus_ones: true }} {...link} />;
    case 'payment':
      return (
        <Link to="/events/$eventId/vendors" params={params} search={{ booking: toDo.bookingId }} {...link} />
      );
    case 'approval':
      return <Link to="/events/$eventId/checklist" params={params} {...link} />;
    default:
      return (
        <Link
          to="/events/$eventId/messages/$roundId"
          params={{ ...params, roundId: toDo.roundId }}
          {...link}
        />
      );
  }
}
