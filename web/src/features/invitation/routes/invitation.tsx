import { Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Card } from '../../../components/card.tsx';
import { GuestPagePreview } from '../../../components/guest-page-preview.tsx';
import { SectionNav } from '../../../components/section-nav.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useAccess, useMayEdit } from '../../events/api/access.ts';
import { eventQuery } from '../../events/api/events.ts';
import { versionedRsvpSettingsQuery } from '../../guests/api/guests.ts';
import { agendaQuery } from '../api/agenda.ts';
import { invitationQuery, pictureQuery } from '../api/invitation.ts';
import { INVITATION_PARTS, type InvitationSearch } from '../api/search.ts';
import { AgendaPart } from '../components/agenda-part.tsx';
import { AnswersPart } from '../components/answers-part.tsx';
import classes from '../components/invitation.module.css';
import { WordsPart } from '../components/words-part.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/events/$eventId/invitation');
/** Media query for screens on which the preview stands beside the invitation's form. */
const DESK = '(min-width: 62em)';

/** Invitation page: texts, settings for replies, agenda and preview. */
export function Invitation() {
  const say = useWords(words);
  const { eventId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { event, etag } = useSuspenseQuery(eventQuery(eventId)).data;
  const access = useAccess(eventId);
  const mayEdit = useMayEdit(eventId);
  const isDesk = useMediaQuery(DESK, undefined, { getInitialValueInEffect: false }) ?? false;
  const version = useVersion(eventId);

  const parts = isDesk ? INVITATION_PARTS.filter((name) => name !== 'look') : INVITATION_PARTS;
  const part = parts.find((name) => name === search.part) ?? 'words';
  const language = search.language ?? event.language_pref;
  const changeSearch = (changed: InvitationSearch) =>
    navigate({ search: { ...search, ...changed }, replace: true, resetScroll: false }).catch(() => {});
  const onLanguage = (chosen: typeof language) => changeSearch({ language: chosen });
  const page = (
    <Card title={say('look')}>
      <Text c="dimmed" size="sm" mb="md">
        {say(event.status === 'draft' ? 'lookDraft' : 'lookAbout')}
      </Text>
      <GuestPagePreview
        eventId={eventId}
        language={language}
        onLanguage={onLanguage}
        version={version && version + etag}
      />
    </Card>
  );
  return (
    <Stack gap="lg" className={classes.page}>
      <Stack gap="lg">
        {!mayEdit && <Text c="dimmed">{say(access === 'view' ? 'onlyLook' : 'cancelled')}</Text>}
        <SectionNav
          label={say('parts')}
          open={part}
          parts={parts.map((name) => ({
            name,
            label: say(`part_${name}`),
            search: { ...search, part: name },
          }))}
        />
        {part === 'words' && (
          <WordsPart event={event} language={language} onLanguage={onLanguage} mayEdit={mayEdit} />
        )}
        {part === 'answers' && <AnswersPart event={event} mayEdit={mayEdit} />}
        {part === 'agenda' && (
          <AgendaPart
            event={event}
            open={search.item}
            onOpen={(item) => changeSearch({ item })}
            mayEdit={mayEdit}
          />
        )}
        {part === 'look' && page}
      </Stack>
      {isDesk && <div className={classes.look}>{page}</div>}
    </Stack>
  );
}

/** Version of everything on the guests' page besides the event's own fields; undefined while it is loading. */
function useVersion(eventId: string): string | undefined {
  const invitation = useQuery(invitationQuery(eventId));
  const answering = useQuery(versionedRsvpSettingsQuery(eventId));
  const picture = useQuery(pictureQuery(eventId));
  const agenda = useQuery(agendaQuery(eventId));
  if ([invitation, answering, picture, agenda].some(({ isPending }) => isPending)) return undefined;
  const items = agenda.data?.map(({ id, updated_at: at }) => id + at);
  return [invitation.data?.etag, answering.data?.etag, picture.data?.url, items?.join()].join();
}
