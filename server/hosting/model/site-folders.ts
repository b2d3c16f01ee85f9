import { join } from 'node:path';

/** Id of an environment, with the id of its application. */
export interface EnvironmentKey {
  applicationId: string;
  environmentId: string;
}

/**
 * Name under which a runtime stores the home folder of a site's processes: like the content of a volume, but no list of
 * volumes shows it.
 */
export const HOME_CONTENT = 'home';

export interface BuildName {
  applicationId: string;
  buildId: string;
}

/**
 * Paths of the sites' files on this machine:
 *
 *     <dataDir>/sites/<application>/builds/<build>/source
 *         a server's build, with everything that its steps left
 *     <dataDir>/sites/<application>/builds/<build>/whole
 *         marker: the build is complete and no longer changes
 *     <dataDir>/sites/<application>/builds/<build>/site
 *         a static build: only the files that are served
 *     <dataDir>/sites/<application>/builds/<build>/tmp
 *         temporary files of its commands, until they have ended
 *     <dataDir>/sites/<application>/cache
 *         home folder of the application's builds
 *     <dataDir>/sites/<application>/kept
 *         caches of frameworks for the next build (kept-folders.ts)
 *     <dataDir>/sites/<application>/environments/<environment>/home
 *         home folder of running processes; outlives releases
 *     <dataDir>/sites/<application>/environments/<environment>/volumes/<name>
 *         a volume; outlives releases
 *     <dataDir>/sites/layers/<instance>
 *         files that a process writes into its release's folder while it runs
 *     <dataDir>/sites/trash
 *         data being deleted
 *     <dataDir>/copies/<application>/<build>
 *         in a cluster: static files served by this machine (site-copies.ts)
 *     <dataDir>/nodes/<version>
 *         Node.js versions other than the server's own
 *     <dataDir>/repositories/<application>
 *         git data of the application's repository
 *     <dataDir>/repositories/trash
 *         git data being deleted
 */
export function siteFolders(dataDir: string) {
  const base = join(dataDir, 'sites');
  const application = (applicationId: string) => join(base, applicationId);
  const builds = (applicationId: string) => join(application(applicationId), 'builds');
  const environments = (applicationId: string) => join(application(applicationId), 'environments');
  const environment = ({ applicationId, environmentId }: EnvironmentKey) =>
    join(environments(applicationId), environmentId);
  const home = (key: EnvironmentKey) => join(environment(key), 'home');
  const build = ({ applicationId, buildId }: BuildName) => join(builds(applicationId), buildId);
  const repositories = join(dataDir, 'repositories');
  const copies = join(dataDir, 'copies');
  return {
    base,
    application,
    builds,
    build,
    source: (name: BuildName) => join(build(name), 'source'),
    whole: (name: BuildName) => join(build(name), 'whole'),
    site: (name: BuildName) => join(build(name), 'site'),
    tmp: (name: BuildName) => join(build(name), 'tmp'),
    cache: (applicationId: string) => join(application(applicationId), 'cache'),
    buildCaches: (applicationId: string) => join(application(applicationId), 'kept'),
    environments,
    environment,
    home,
    volume: (key: EnvironmentKey, name: string) =>
      name === HOME_CONTENT ? home(key) : join(environment(key), 'volumes', name),
    overlays: join(base, 'layers'),
    overlay: (instance: string) => join(base, 'layers', instance),
    trash: join(base, 'trash'),
    copies,
    copiesOf: (applicationId: string) => join(copies, applicationId),
    copy: ({ applicationId, buildId }: BuildName) => join(copies, applicationId, buildId),
    nodes: join(dataDir, 'nodes'),
    repositories,
    repositoryTrash: join(repositories, 'trash'),
  };
}

export type SiteFolders = ReturnType<typeof siteFolders>;
