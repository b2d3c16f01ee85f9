import { VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { useSeesContacts } from '../../events/api/access.ts';
import { countsQuery } from '../../events/api/events.ts';
import { useLiveWaiting } from '../../waiting/api/live.ts';
import { undecidedQuery } from '../../waiting/api/requests.ts';
import { words } from '../words.ts';
import classes from './waiting-badge.module.css';

/** Badge with the number of open requests and of waiting guests, live on every page of an event. */
export function WaitingBadge({ eventId }: { eventId: string }) {
  const say = useWords(words);
  const { language } = useLanguage();
  useLiveWaiting(eventId);
  const seesContacts = useSeesContacts(eventId);
  const { data: requests = 0 } = useQuery({ ...undecidedQuery(eventId), enabled: seesContacts });
  const { data: counts } = useQuery(countsQuery(eventId));
  const n = requests + (counts?.waiting ?? 0);
  if (n === 0) return null;
  return (
    <span className={classes.badge}>
      <span aria-hidden>{formatNumber(n, language)}</span>
      <VisuallyHidden>{say('waitHere', { n })}</VisuallyHidden>
    </span>
  );
}
