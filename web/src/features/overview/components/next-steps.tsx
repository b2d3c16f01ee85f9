import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import type { CountedEvent, GuestCounts } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { countsQuery } from '../../events/api/events.ts';
import { uninvitedQuery } from '../api/first-data.ts';
import { words } from '../words.ts';
import classes from './next-steps.module.css';

type Step = { name: string; label: string } & Pick<LinkProps, 'to' | 'search' | 'hash'>;

/** Card with the next steps for an event, each a link to the page where the step is done. */
export function NextSteps({ event }: { event: CountedEvent }) {
  const say = useWords(words);
  const { data: counts } = useQuery(countsQuery(event.id));
  const { data: uninvited } = useQuery(uninvitedQuery(event.id));
  const isKnown = counts !== undefined && uninvited !== undefined;
  const steps = isKnown ? stepsOf(event, counts, uninvited, say) : [];
  return (
    <Card title={say('next')}>
      {!isKnown ? (
        <Skeleton height={48} />
      ) : steps.length === 0 ? (
        <Text c="dimmed">{say('nextNothing')}</Text>
      ) : (
        <Stack component="ul" gap={0} className={classes.steps}>
          {steps.map(({ name, label, ...link }) => (
            <li key={name}>
              <Link {...link} params={{ eventId: event.id }} className={classes.step}>
                <span>{label}</span>
                <ChevronLeft size={20} aria-hidden className={classes.on} />
              </Link>
            </li>
          ))}
        </Stack>
      )}
    </Card>
  );
}

function stepsOf(
  { status, vendors_confirmed: booked }: CountedEvent,
  { rsvp_total: all, rsvp_confirmed: yes, rsvp_pending: pending, waiting }: GuestCounts,
  uninvited: number,
  say: ReturnType<typeof useWords<typeof words>>,
): Step[] {
  const steps: Step[] = [];
  const messages = '/events/$eventId/messages/new';
  if (status === 'cancelled') {
    if (yes > 0)
      steps.push({ name: 'tell', label: say('nextTell'), to: messages, search: { kind: 'cancellation' } });
    return steps;
  }
  if (status === 'completed') {
    if (yes > 0)
      steps.push({ name: 'thank', label: say('nextThank'), to: messages, search: { kind: 'thanks' } });
    return steps;
  }
  if (all === 0) steps.push({ name: 'add', label: say('nextAddGuests'), to: '/events/$eventId/guests' });
  if (status === 'draft') {
    steps.push({ name: 'invitation', label: say('nextInvitation'), to: '/events/$eventId/invitation' });
  } else if (uninvited > 0) {
    const search = { kind: 'invitation' } as const;
    steps.push({ name: 'invite', label: say('nextInvite', { n: uninvited }), to: messages, search });
  } else if (pending > waiting) {
    const search = { kind: 'reminder' } as const;
    steps.push({ name: 'remind', label: say('nextRemind', { n: pending - waiting }), to: messages, search });
  }
  if (booked === 0)
    steps.push({ name: 'vendors', label: say('nextVendors'), to: '/events/$eventId/vendors' });
  return steps;
}
