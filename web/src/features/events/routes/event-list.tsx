import { Anchor, Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { PartyPopper, Plus } from 'lucide-react';
import type { ListedEvent } from 'simcha-client';
import { EmptyState } from '../../../components/empty-state.tsx';
import { CardGrid } from '../../../components/link-card.tsx';
import { LoadingSkeleton } from '../../../components/loading-skeleton.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { SearchInput } from '../../../components/search-input.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { matchesSearch } from '../../../lib/text-search.ts';
import { deletedEventsQuery, eventsQuery, isPast, sharedEventsQuery } from '../api/events.ts';
import { exampleQuery } from '../api/example.ts';
import { EVENT_STATES, type EventSearch, type EventState } from '../api/search.ts';
import { EventCard } from '../components/event-card.tsx';
import { MakeExample } from '../components/make-example.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/events');
/** Number of events from which on the list of events has a search field. */
const MANY = 6;

export function EventList() {
  const say = useWords(words);
  const { status, q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: events, error, refetch, isPending } = useQuery(eventsQuery);
  const { data: shared } = useQuery(sharedEventsQuery);
  const changeSearch = (search: EventSearch) => navigate({ search, replace: true }).catch(() => {});

  if (isPending) return <LoadingSkeleton />;
  if (!events) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (events.length === 0 && !shared?.length) return <NoEvents />;

  const found = events.filter(
    ({ title, venue_name: venue, status: is }) =>
      (!status || is === status) && matchesSearch(q, [title, venue]),
  );
  const past = found.filter(isPast).reverse();
  const coming = found.filter((event) => !isPast(event));
  return (
    <Stack gap="lg">
      <PageHead title={say('title')}>
        <Button component={Link} to="/events/new" leftSection={<Plus size={20} aria-hidden />}>
          {say('create')}
        </Button>
      </PageHead>
      {events.length >= MANY && (
        <Group>
          <SearchInput
            label={say('search')}
            placeholder={say('searchHint')}
            q={q}
            onSearchChange={(text) => changeSearch({ status, ...(text && { q: text }) })}
          />
          <SegmentedControl
            aria-label={say('status')}
            value={status ?? ''}
            onChange={(state) =>
              changeSearch({ ...(q && { q }), ...(state && { status: state as EventState }) })
            }
            data={[
              { value: '', label: say('all') },
              ...EVENT_STATES.map((value) => ({ value, label: say(value) })),
            ]}
            // Small paddings let the five buttons of the filter fit side by side on a small phone.
            styles={{ label: { paddingInline: 'clamp(4px, 1.2vw, 14px)' } }}
            style={{ flex: '0 1 auto', maxWidth: '100%', overflowX: 'auto' }}
          />
        </Group>
      )}
      {error && <ProblemNote error={error} onRetry={() => refetch()} />}
      {found.length === 0 && events.length > 0 && (
        <Stack align="center" py="xl" role="status">
          <Text>{say('nothingFound')}</Text>
          <Button variant="default" onClick={() => changeSearch({})}>
            {say('showAll')}
          </Button>
        </Stack>
      )}
      <Cards events={coming} />
      {shared && shared.length > 0 && (
        <>
          <Title order={2} size="h3" mt={events.length > 0 ? 'md' : 0}>
            {say('shared')}
          </Title>
          <CardGrid>
            {shared.map(({ event, access }) => (
              <li key={event.id}>
                <EventCard event={event} note={say(access === 'edit' ? 'mayEdit' : 'mayView')} />
              </li>
            ))}
          </CardGrid>
        </>
      )}
      {past.length > 0 && (
        <>
          <Title order={2} size="h3" mt="md">
            {say('past')}
          </Title>
          <Cards events={past} />
        </>
      )}
      <Group justify="space-between" gap="sm">
        <Deleted />
        <Example />
      </Group>
    </Stack>
  );
}

function Cards({ events }: { events: readonly ListedEvent[] }) {
  if (events.length === 0) return null;
  return (
    <CardGrid>
      {events.map((event) => (
        <li key={event.id}>
          <EventCard event={event} />
        </li>
      ))}
    </CardGrid>
  );
}

/** Button that creates the example event, for users without one. */
function Example() {
  const { data: example } = useQuery(exampleQuery);
  return example === null ? <MakeExample isQuiet /> : null;
}

/** Link to the page of deleted events, if there are any. */
function Deleted() {
  const say = useWords(words);
  const { data: deleted } = useQuery(deletedEventsQuery);
  if (!deleted?.length) return null;
  return (
    <Anchor py={10} display="inline-block" renderRoot={(props) => <Link to="/events/deleted" {...props} />}>
      {say('deleted')}
    </Anchor>
  );
}

function NoEvents() {
  const say = useWords(words);
  return (
    <EmptyState order={1} icon={PartyPopper} title={say('emptyTitle')} about={say('empty')}>
      <title>{`${say('title')} · Simcha`}</title>
      <Button component={Link} to="/events/new" size="lg">
        {say('create')}
      </Button>
      <MakeExample />
      <Deleted />
    </EmptyState>
  );
}
