import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useNotifyProblem } from '../../../components/notify.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { matchesSearch } from '../../../lib/text-search.ts';
import { eventsQuery, sharedEventsQuery } from '../../events/api/events.ts';
import { exampleQuery, useMakeExample } from '../../events/api/example.ts';
import { words as sectionWords } from '../../events/api/section-words.ts';
import { groupsFor } from '../../events/api/sections.ts';
import { guestPageQuery } from '../../guests/api/guests.ts';
import { useSession } from '../../sign-in/api/session.ts';
import { words as siteSectionWords } from '../../sites/api/section-words.ts';
import { SECTIONS } from '../../sites/api/sections.ts';
import { siteNameOf, sitesQuery } from '../../sites/api/sites.ts';
import { words } from '../words.ts';

/** Page, event, guest or site to which the command palette leads. */
export interface Destination {
  id: string;
  label: string;
  go(): Promise<void>;
}

export interface DestinationGroup {
  name: 'guests' | 'here' | 'site' | 'events' | 'sites' | 'pages';
  places: Destination[];
}

const MOST = 6;
/** Minimum length of a search text for guests: a single letter is in nearly every name. */
const SHORTEST_NAME = 2;

/**
 * Destinations of the command palette that match the typed text: guests, sections of this event or
 * site, events, sites, pages. */
export function useDestinations(typed: string): DestinationGroup[] {
  const say = useWords(words);
  const notifyProblem = useNotifyProblem();
  const sayName = useWords(sectionWords);
  const navigate = useNavigate();
  const saySection = useWords(siteSectionWords);
  const { eventId, name: siteName } = useParams({ strict: false });
  const { data: events = [] } = useQuery(eventsQuery);
  const { data: shared = [] } = useQuery(sharedEventsQuery);
  const { data: example } = useQuery(exampleQuery);
  const { data: sites = [] } = useQuery(sitesQuery);
  const makeExample = useMakeExample();
  const isOperator = useSession()?.operator ?? false;
  const searched = typed.trim();
  const isSearched = eventId !== undefined && searched.length >= SHORTEST_NAME;
  const listing = { filter: { search: searched }, order: 'name' } as const;
  const { data: found } = useQuery({ ...guestPageQuery(eventId ?? '', listing, 0), enabled: isSearched });

  const guests = (isSearched ? (found?.guests ?? []) : []).slice(0, MOST).map(({ id, name }) => ({
    id: `guest ${id}`,
    label: name,
    go: () =>
      navigate({ to: '/events/$eventId/guests', params: { eventId: eventId ?? '' }, search: { guest: id } }),
  }));
  const all = [...events, ...shared.map(({ event }) => event)].map(({ id, title }) => ({
    id: `event ${id}`,
    label: title,
    go: () => navigate({ to: '/events/$eventId', params: { eventId: id } }),
  }));
  const allSites = sites.map((site) => ({
    id: `site ${site.application_uuid}`,
    label: site.name,
    go: () => navigate({ to: '/sites/$name', params: { name: siteNameOf(site) } }),
  }));
  const inSite = SECTIONS.map(({ to, name: section }) => ({
    id: `section ${section}`,
    label: saySection(section),
    go: () => navigate({ to, params: { name: siteName ?? '' } }),
  }));
  const pages: Destination[] = [
    { id: 'today', label: say('today'), go: () => navigate({ to: '/today' }) },
    { id: 'events', label: say('allEvents'), go: () => navigate({ to: '/events' }) },
    { id: 'new', label: say('newEvent'), go: () => navigate({ to: '/events/new' }) },
    ...(example === null ? [{ id: 'example', label: say('makeExample'), go: playWithExample }] : []),
    { id: 'vendors', label: say('vendors'), go: () => navigate({ to: '/vendors' }) },
    { id: 'sites', label: say('allSites'), go: () => navigate({ to: '/sites' }) },
    { id: 'newSite', label: say('newSite'), go: () => navigate({ to: '/sites/new' }) },
    { id: 'tokens', label: say('tokens'), go: () => navigate({ to: '/settings/tokens' }) },
    {
      id: 'variableGroups',
      label: say('variableGroups'),
      go: () => navigate({ to: '/settings/variable-groups' }),
    },
    { id: 'deleted', label: say('deletedEvents'), go: () => navigate({ to: '/events/deleted' }) },
    { id: 'settings', label: say('settings'), go: () => navigate({ to: '/settings' }) },
    ...(isOperator
      ? [{ id: 'platform', label: say('platform'), go: () => navigate({ to: '/operator' }) }]
      : []),
    { id: 'docs', label: say('reference'), go: () => navigate({ to: '/docs' }) },
  ];
  return [
    { name: 'guests' as const, places: guests },
    { name: 'here' as const, places: like(searched, eventId === undefined ? [] : here(eventId)) },
    { name: 'site' as const, places: like(searched, siteName === undefined ? [] : inSite) },
    { name: 'events' as const, places: like(searched, all).slice(0, MOST) },
    { name: 'sites' as const, places: like(searched, allSites).slice(0, MOST) },
    { name: 'pages' as const, places: like(searched, pages) },
  ].filter(({ places }) => places.length > 0);

  async function playWithExample() {
    try {
      const { id } = await makeExample.mutateAsync();
      await navigate({ to: '/events/$eventId', params: { eventId: id } });
    } catch (error) {
      notifyProblem(error);
    }
  }

  function here(of: string): Destination[] {
    const params = { eventId: of };
    const seesContacts = shared.find(({ event }) => event.id === of)?.access !== 'view_without_contacts';
    const shown = groupsFor({ seesContacts }).flatMap((group) => group.sections);
    const sections = shown.map(({ to, name }) => ({
      id: name,
      label: sayName(name),
      go: () => navigate({ to, params }),
    }));
    return [
      ...sections,
      {
        id: 'add',
        label: say('addGuest'),
        go: () => navigate({ to: '/events/$eventId/guests', params, search: { add: true } }),
      },
      {
        id: 'import',
        label: say('importGuests'),
        go: () => navigate({ to: '/events/$eventId/guests/import', params }),
      },
      {
        id: 'message',
        label: say('newMessage'),
        go: () => navigate({ to: '/events/$eventId/messages/new', params }),
      },
      {
        id: 'caterer',
        label: say('caterer'),
        go: () => navigate({ to: '/events/$eventId/questions', params, search: { view: 'caterer' } }),
      },
    ];
  }
}

/** Destinations of the command palette whose label contains each typed word. */
function like(searched: string, places: readonly Destination[]): Destination[] {
  return places.filter(({ label }) => matchesSearch(searched, [label]));
}
