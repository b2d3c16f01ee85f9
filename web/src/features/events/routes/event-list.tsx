import {
  Anchor,
  Button,
  Group,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { PartyPopper, Plus, Search } from 'lucide-react';
import { Empty } from '../../../components/empty.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { Waiting } from '../../../components/waiting.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { deletedEventsQuery, eventsQuery, sharedEventsQuery } from '../api/events.ts';
import { type EventSearch, STATES, type State } from '../api/search.ts';
import { EventCard } from '../components/event-card.tsx';
import { MakeExample } from '../components/example-note.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/events');
/** From so many on one wants to look for one. */
const MANY = 6;

export function EventList() {
  const say = useWords(words);
  const { status, q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: events, error, refetch, isPending } = useQuery(eventsQuery);
  const { data: shared } = useQuery(sharedEventsQuery);
  const look = (search: EventSearch) => navigate({ search, replace: true }).catch(() => {});

  if (isPending) return <Waiting />;
  if (!events) return <ProblemNote error={error} again={() => refetch()} />;
  if (events.length === 0 && !shared?.length) return <NoEvents />;

  const wanted = q.trim().toLocaleLowerCase();
  const found = events.filter(
    ({ title, venue_name: venue, status: is }) =>
      (!status || is === status) && `${title}\n${venue}`.toLocaleLowerCase().includes(wanted),
  );
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Title order={1} size="h2">
          {say('title')}
        </Title>
        <Button component={Link} to="/events/new" leftSection={<Plus size={20} aria-hidden />}>
          {say('create')}
        </Button>
      </Group>
      {events.length >= MANY && (
        <Group align="flex-end">
          <TextInput
            label={say('search')}
            placeholder={say('searchHint')}
            type="search"
            dir="auto"
            leftSection={<Search size={18} aria-hidden />}
            value={q}
            onChange={({ currentTarget: { value } }) => look({ status, ...(value && { q: value }) })}
            style={{ flex: '1 1 240px' }}
          />
          <SegmentedControl
            aria-label={say('status')}
            value={status ?? ''}
            onChange={(state) => look({ ...(q && { q }), ...(state && { status: state as State }) })}
            data={[
              { value: '', label: say('all') },
              ...STATES.map((value) => ({ value, label: say(value) })),
            ]}
            style={{ flex: '0 1 auto', maxWidth: '100%', overflowX: 'auto' }}
          />
        </Group>
      )}
      {error && <ProblemNote error={error} again={() => refetch()} />}
      {found.length === 0 ? (
        <Stack align="center" py="xl" role="status">
          <Text>{say('nothingFound')}</Text>
          <Button variant="default" onClick={() => look({})}>
            {say('showAll')}
          </Button>
        </Stack>
      ) : (
        <SimpleGrid
          cols={{ base: 1, sm: 2, lg: 3 }}
          spacing="md"
          component="ul"
          p={0}
          m={0}
          style={{ listStyle: 'none' }}
        >
          {found.map((event) => (
            <li key={event.id}>
              <EventCard event={event} />
            </li>
          ))}
        </SimpleGrid>
      )}
      {shared && shared.length > 0 && (
        <>
          <Title order={2} size="h3" mt="md">
            {say('shared')}
          </Title>
          <SimpleGrid
            cols={{ base: 1, sm: 2, lg: 3 }}
            spacing="md"
            component="ul"
            p={0}
            m={0}
            style={{ listStyle: 'none' }}
          >
            {shared.map(({ event, access }) => (
              <li key={event.id}>
                <EventCard event={event} note={say(access === 'edit' ? 'mayEdit' : 'mayView')} />
              </li>
            ))}
          </SimpleGrid>
        </>
      )}
      <Deleted />
    </Stack>
  );
}

/** The way to those that were deleted, where there are some. */
function Deleted() {
  const say = useWords(words);
  const { data: deleted } = useQuery(deletedEventsQuery);
  if (!deleted?.length) return null;
  return (
    <Anchor
      py={10}
      style={{ alignSelf: 'flex-start' }}
      renderRoot={(props) => <Link to="/events/deleted" {...props} />}
    >
      {say('deleted')}
    </Anchor>
  );
}

function NoEvents() {
  const say = useWords(words);
  return (
    <Empty order={1} icon={PartyPopper} title={say('emptyTitle')} about={say('empty')}>
      <Button component={Link} to="/events/new" size="lg">
        {say('create')}
      </Button>
      <MakeExample />
      <Deleted />
    </Empty>
  );
}
