import type { QueryClient } from '@tanstack/react-query';
import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { LoadingSkeleton } from '../components/loading-skeleton.tsx';
import { eventQuery, sharedEventsQuery } from '../features/events/api/events.ts';
import { readDetailsSearch, readEventSearch } from '../features/events/api/search.ts';
import { readImportSearch } from '../features/guests/api/import-search.ts';
import { readGuestSearch } from '../features/guests/api/search.ts';
import { readHistorySearch } from '../features/history/api/search.ts';
import { Home } from '../features/home/routes/home.tsx';
import { readInvitationSearch } from '../features/invitation/api/search.ts';
import { readComposerSearch, readListSearch, readRoundSearch } from '../features/messages/api/search.ts';
import { readQuestionSearch } from '../features/questions/api/search.ts';
import { descriptionQuery } from '../features/reference/api/description.ts';
import { sessionQuery } from '../features/sign-in/api/session.ts';
import { readDeviceSearch } from '../features/tokens/api/device.ts';
import { readTokenSearch } from '../features/tokens/api/search.ts';
import { readBookingSearch, readVendorSearch } from '../features/vendors/api/search.ts';
import { readWaitingSearch } from '../features/waiting/api/search.ts';
import { readWebhookSearch } from '../features/webhooks/api/search.ts';
import { AREAS, lastArea } from './areas.ts';
import { FailedPage } from './failed-page.tsx';
import { inside, root } from './inside-route.ts';
import { lazyPage } from './lazy-page.ts';
import { NotFound } from './not-found.tsx';
import { SessionLoading } from './session-loading.tsx';
import { siteRoutes } from './site-routes.ts';

/**
 * Reads the page of the console to open after the sign-in. Addresses of other sites and the sign-in page itself are
 * ignored.
 */
const readTo = ({ to }: Record<string, unknown>): { to?: string | undefined } => ({
  to: typeof to === 'string' && /^\/(?![/\\]|sign-in\b)/.test(to) ? to : undefined,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  async beforeLoad({ context: { queries } }) {
    if (await queries.ensureQueryData(sessionQuery))
      throw redirect({ to: AREAS[lastArea()].home, replace: true });
  },
  pendingComponent: SessionLoading,
  component: Home,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readTo,
  async beforeLoad({ context: { queries }, search: { to } }) {
    if (await queries.ensureQueryData(sessionQuery))
      throw redirect({ href: to ?? AREAS[lastArea()].home, replace: true });
  },
  pendingComponent: SessionLoading,
  component: lazyPage(() => import('../features/sign-in/routes/sign-in.tsx'), 'SignIn'),
});

const reference = createRoute({
  getParentRoute: () => root,
  path: '/docs',
  // The "try it" calls on the API reference page use the session of the signed-in user.
  loader: ({ context: { queries } }) =>
    Promise.all([queries.ensureQueryData(descriptionQuery), queries.ensureQueryData(sessionQuery)]),
  component: lazyPage(() => import('../features/reference/routes/reference.tsx'), 'Reference'),
});

const today = createRoute({
  getParentRoute: () => inside,
  path: '/today',
  component: lazyPage(() => import('../features/today/routes/today.tsx'), 'Today'),
});

const events = createRoute({
  getParentRoute: () => inside,
  path: '/events',
  validateSearch: readEventSearch,
  component: lazyPage(() => import('../features/events/routes/event-list.tsx'), 'EventList'),
});

const newEvent = createRoute({
  getParentRoute: () => inside,
  path: '/events/new',
  component: lazyPage(() => import('../features/events/routes/new-event.tsx'), 'NewEvent'),
});

const deletedEvents = createRoute({
  getParentRoute: () => inside,
  path: '/events/deleted',
  component: lazyPage(() => import('../features/events/routes/deleted-events.tsx'), 'DeletedEvents'),
});

const event = createRoute({
  getParentRoute: () => inside,
  path: '/events/$eventId',
  async loader({ context: { queries }, params }) {
    const { event } = await queries.ensureQueryData(eventQuery(params.eventId));
    const session = await queries.ensureQueryData(sessionQuery);
    // The owner of an event has full access, so the list of events that are shared with the user is loaded only for
    // others.
    if (event.organizer_id !== session?.user.user_id) await queries.ensureQueryData(sharedEventsQuery);
  },
  component: lazyPage(() => import('../features/overview/routes/event-frame.tsx'), 'EventFrame'),
});

const overview = createRoute({
  getParentRoute: () => event,
  path: '/',
  // The page itself reports what can't be loaded.
  loader: ({ context: { queries }, params: { eventId } }) =>
    import('../features/overview/api/first-data.ts')
      .then(({ loadOverview }) => loadOverview(queries, eventId))
      .catch(() => {}),
  component: lazyPage(() => import('../features/overview/routes/overview.tsx'), 'Overview'),
});

const details = createRoute({
  getParentRoute: () => event,
  path: '/details',
  validateSearch: readDetailsSearch,
  component: lazyPage(() => import('../features/events/routes/details.tsx'), 'Details'),
});

const sharing = createRoute({
  getParentRoute: () => event,
  path: '/sharing',
  component: lazyPage(() => import('../features/sharing/routes/sharing.tsx'), 'Sharing'),
});

const invitation = createRoute({
  getParentRoute: () => event,
  path: '/invitation',
  validateSearch: readInvitationSearch,
  component: lazyPage(() => import('../features/invitation/routes/invitation.tsx'), 'Invitation'),
});

const guests = createRoute({
  getParentRoute: () => event,
  path: '/guests',
  validateSearch: readGuestSearch,
  component: lazyPage(() => import('../features/guests/routes/guest-list.tsx'), 'GuestList'),
});

const deletedGuests = createRoute({
  getParentRoute: () => event,
  path: '/guests/deleted',
  component: lazyPage(() => import('../features/guests/routes/deleted-guests.tsx'), 'DeletedGuests'),
});

const printGuests = createRoute({
  getParentRoute: () => event,
  path: '/guests/print',
  validateSearch: readGuestSearch,
  component: lazyPage(() => import('../features/guests/routes/print-guests.tsx'), 'PrintGuests'),
});

const importGuests = createRoute({
  getParentRoute: () => event,
  path: '/guests/import',
  validateSearch: readImportSearch,
  component: lazyPage(() => import('../features/guests/routes/import-guests.tsx'), 'ImportGuests'),
});

const waiting = createRoute({
  getParentRoute: () => event,
  path: '/waiting',
  validateSearch: readWaitingSearch,
  component: lazyPage(() => import('../features/waiting/routes/waiting.tsx'), 'WaitingAndRequests'),
});

const questions = createRoute({
  getParentRoute: () => event,
  path: '/questions',
  validateSearch: readQuestionSearch,
  component: lazyPage(() => import('../features/questions/routes/questions.tsx'), 'QuestionsAndMeals'),
});

const bookings = createRoute({
  getParentRoute: () => event,
  path: '/vendors',
  validateSearch: readBookingSearch,
  component: lazyPage(() => import('../features/vendors/routes/bookings.tsx'), 'Bookings'),
});

const checklist = createRoute({
  getParentRoute: () => event,
  path: '/checklist',
  component: lazyPage(() => import('../features/checklist/routes/checklist.tsx'), 'Checklist'),
});

const history = createRoute({
  getParentRoute: () => event,
  path: '/history',
  validateSearch: readHistorySearch,
  component: lazyPage(() => import('../features/history/routes/history.tsx'), 'History'),
});

const vendors = createRoute({
  getParentRoute: () => inside,
  path: '/vendors',
  validateSearch: readVendorSearch,
  component: lazyPage(() => import('../features/vendors/routes/vendors.tsx'), 'Vendors'),
});

const messages = createRoute({
  getParentRoute: () => event,
  path: '/messages',
  validateSearch: readListSearch,
  component: lazyPage(() => import('../features/messages/routes/message-list.tsx'), 'MessageList'),
});

const newMessage = createRoute({
  getParentRoute: () => event,
  path: '/messages/new',
  validateSearch: readComposerSearch,
  component: lazyPage(() => import('../features/messages/routes/compose.tsx'), 'Compose'),
});

const round = createRoute({
  getParentRoute: () => event,
  path: '/messages/$roundId',
  validateSearch: readRoundSearch,
  component: lazyPage(() => import('../features/messages/routes/round.tsx'), 'RoundPage'),
});

const contactList = createRoute({
  getParentRoute: () => event,
  path: '/messages/$roundId/walk',
  component: lazyPage(() => import('../features/messages/routes/contact-list.tsx'), 'ContactList'),
});

const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  component: lazyPage(() => import('../features/settings/routes/settings.tsx'), 'Settings'),
});

const tokens = createRoute({
  getParentRoute: () => inside,
  path: '/settings/tokens',
  validateSearch: readTokenSearch,
  component: lazyPage(() => import('../features/tokens/routes/tokens.tsx'), 'Tokens'),
});

const variableGroups = createRoute({
  getParentRoute: () => inside,
  path: '/settings/variable-groups',
  component: lazyPage(
    () => import('../features/site-variables/routes/variable-groups.tsx'),
    'VariableGroups',
  ),
});

const variableGroup = createRoute({
  getParentRoute: () => inside,
  path: '/settings/variable-groups/$group',
  component: lazyPage(
    () => import('../features/site-variables/routes/variable-group.tsx'),
    'VariableGroupPage',
  ),
});

const webhooks = createRoute({
  getParentRoute: () => inside,
  path: '/settings/webhooks',
  validateSearch: readWebhookSearch,
  component: lazyPage(() => import('../features/webhooks/routes/webhooks.tsx'), 'Webhooks'),
});

const device = createRoute({
  getParentRoute: () => inside,
  path: '/device',
  validateSearch: readDeviceSearch,
  component: lazyPage(() => import('../features/tokens/routes/device.tsx'), 'Device'),
});

const operator = createRoute({
  getParentRoute: () => inside,
  path: '/operator',
  component: lazyPage(() => import('../features/operator/routes/operator.tsx'), 'Operator'),
});

const tree = root.addChildren([
  home,
  signIn,
  reference,
  inside.addChildren([
    today,
    events,
    newEvent,
    deletedEvents,
    event.addChildren([
      overview,
      invitation,
      guests,
      deletedGuests,
      importGuests,
      printGuests,
      waiting,
      questions,
      messages,
      newMessage,
      round,
      contactList,
      bookings,
      checklist,
      history,
      details,
      sharing,
    ]),
    vendors,
    settings,
    tokens,
    variableGroups,
    variableGroup,
    webhooks,
    device,
    operator,
    ...siteRoutes,
  ]),
]);

/** Time after which a page that is still loading shows placeholders, in milliseconds. */
export const PENDING_MS = 200;

export function createConsoleRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queries },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultPendingMs: PENDING_MS,
    defaultPendingComponent: LoadingSkeleton,
    defaultErrorComponent: FailedPage,
    defaultNotFoundComponent: NotFound,
  });
}

export type ConsoleRouter = ReturnType<typeof createConsoleRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter;
  }
}
