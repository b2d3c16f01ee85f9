import { createRoute } from '@tanstack/react-router';
import { readNewSiteSearch } from '../features/new-site/api/new-site.ts';
import { readProcessSearch } from '../features/site-processes/api/process-search.ts';
import { siteQuery } from '../features/sites/api/sites.ts';
import { inside } from './inside-route.ts';
import { lazyPage } from './lazy-page.ts';

const sites = createRoute({
  getParentRoute: () => inside,
  path: '/sites',
  component: lazyPage(() => import('../features/sites/routes/site-list.tsx'), 'SiteList'),
});

const newSite = createRoute({
  getParentRoute: () => inside,
  path: '/sites/new',
  validateSearch: readNewSiteSearch,
  component: lazyPage(() => import('../features/new-site/routes/new-site.tsx'), 'NewSite'),
});

const site = createRoute({
  getParentRoute: () => inside,
  path: '/sites/$name',
  loader: ({ context: { queries }, params }) => queries.ensureQueryData(siteQuery(params.name)),
  component: lazyPage(() => import('../features/sites/routes/site-frame.tsx'), 'SiteFrame'),
});

const overview = createRoute({
  getParentRoute: () => site,
  path: '/',
  component: lazyPage(() => import('../features/sites/routes/site-overview.tsx'), 'SiteOverview'),
});

const deployments = createRoute({
  getParentRoute: () => site,
  path: '/deployments',
  component: lazyPage(
    () => import('../features/site-deployments/routes/deployment-list.tsx'),
    'DeploymentList',
  ),
});

const deployment = createRoute({
  getParentRoute: () => site,
  path: '/deployments/$deploymentId',
  component: lazyPage(() => import('../features/site-deployments/routes/deployment.tsx'), 'DeploymentPage'),
});

const logs = createRoute({
  getParentRoute: () => site,
  path: '/logs',
  component: lazyPage(() => import('../features/site-logs/routes/site-logs.tsx'), 'SiteLogs'),
});

const releases = createRoute({
  getParentRoute: () => site,
  path: '/releases',
  component: lazyPage(() => import('../features/site-releases/routes/releases.tsx'), 'Releases'),
});

const previews = createRoute({
  getParentRoute: () => site,
  path: '/previews',
  component: lazyPage(() => import('../features/site-previews/routes/previews.tsx'), 'Previews'),
});

const previewVariables = createRoute({
  getParentRoute: () => site,
  path: '/previews/$preview/variables',
  component: lazyPage(
    () => import('../features/site-variables/routes/preview-variables.tsx'),
    'PreviewVariables',
  ),
});

const figures = createRoute({
  getParentRoute: () => site,
  path: '/figures',
  component: lazyPage(() => import('../features/site-figures/routes/figures.tsx'), 'Figures'),
});

const variables = createRoute({
  getParentRoute: () => site,
  path: '/variables',
  component: lazyPage(() => import('../features/site-variables/routes/variables.tsx'), 'Variables'),
});

const domains = createRoute({
  getParentRoute: () => site,
  path: '/domains',
  component: lazyPage(() => import('../features/site-domains/routes/domains.tsx'), 'Domains'),
});

const processes = createRoute({
  getParentRoute: () => site,
  path: '/processes',
  validateSearch: readProcessSearch,
  component: lazyPage(() => import('../features/site-processes/routes/processes.tsx'), 'Processes'),
});

const volumes = createRoute({
  getParentRoute: () => site,
  path: '/volumes',
  component: lazyPage(() => import('../features/site-volumes/routes/volumes.tsx'), 'Volumes'),
});

const settings = createRoute({
  getParentRoute: () => site,
  path: '/settings',
  component: lazyPage(() => import('../features/site-settings/routes/site-settings.tsx'), 'SiteSettings'),
});

const git = createRoute({
  getParentRoute: () => site,
  path: '/git',
  component: lazyPage(() => import('../features/site-git/routes/git-and-ci.tsx'), 'GitAndCi'),
});

const rules = createRoute({
  getParentRoute: () => site,
  path: '/rules',
  component: lazyPage(() => import('../features/site-rules/routes/rules.tsx'), 'Rules'),
});

const people = createRoute({
  getParentRoute: () => site,
  path: '/people',
  component: lazyPage(() => import('../features/site-people/routes/people.tsx'), 'People'),
});

const history = createRoute({
  getParentRoute: () => site,
  path: '/history',
  component: lazyPage(() => import('../features/site-people/routes/site-history.tsx'), 'SiteHistory'),
});

/** Routes of a developer's sites, below the pages for signed-in users. */
export const siteRoutes = [
  sites,
  newSite,
  site.addChildren([
    overview,
    deployments,
    deployment,
    releases,
    previews,
    previewVariables,
    logs,
    figures,
    variables,
    domains,
    processes,
    volumes,
    settings,
    git,
    rules,
    people,
    history,
  ]),
] as const;
