import { Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { PageHead } from '../../../components/page-head.tsx';
import { SectionNav } from '../../../components/section-nav.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useMayEdit, useSeesContacts } from '../../events/api/access.ts';
import { WAITING_PARTS } from '../api/search.ts';
import { Requests } from '../components/requests.tsx';
import classes from '../components/waiting.module.css';
import { WaitingList } from '../components/waiting-list.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/events/$eventId/waiting');

/** Page of the waiting list and the requests to come. The frame around all pages of an event keeps both up to date. */
export function WaitingAndRequests() {
  const say = useWords(words);
  const { eventId } = route.useParams();
  const { show } = route.useSearch();
  const mayEdit = useMayEdit(eventId);
  const seesContacts = useSeesContacts(eventId);
  if (!seesContacts)
    return (
      <Stack gap="lg">
        <PageHead order={2} title={say('title')} />
        <WaitingList eventId={eventId} mayEdit={mayEdit} />
      </Stack>
    );
  return (
    <Stack gap="lg">
      <PageHead order={2} title={say('title')} />
      <SectionNav
        label={say('show')}
        open={show ?? 'all'}
        parts={[
          { name: 'all', label: say('show_all'), search: {} },
          ...WAITING_PARTS.map((name) => ({ name, label: say(`show_${name}`), search: { show: name } })),
        ]}
      />
      <Stack gap="lg" className={classes.page} data-both={!show || undefined}>
        {(!show || show === 'requests') && <Requests eventId={eventId} status="waiting" mayEdit={mayEdit} />}
        {show === 'declined' && <Requests eventId={eventId} status="declined" mayEdit={mayEdit} />}
        {(!show || show === 'waiting') && <WaitingList eventId={eventId} mayEdit={mayEdit} />}
      </Stack>
    </Stack>
  );
}
