import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { sessionQuery } from '../features/sign-in/api/session.ts';
import { Frame } from './frame.tsx';
import { NotFound } from './not-found.tsx';
import { SessionLoading } from './session-loading.tsx';

export const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
});

/** Parent route of all pages that need a signed-in user. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  async beforeLoad({ context: { queries }, location }) {
    const session = await queries.ensureQueryData(sessionQuery);
    if (!session) throw redirect({ to: '/sign-in', search: { to: location.href }, replace: true });
  },
  pendingComponent: SessionLoading,
  component: Frame,
});
