import { join } from 'node:path';

/** Whose site it is. */
export interface EnvironmentKey {
  applicationId: string;
  environmentId: string;
}

/** The content's name of the home of what runs, which is as a volume's but in no list of them. */
export const HOME_CONTENT = 'home';

export interface BuildName {
  applicationId: string;
  buildId: string;
}

/**
 * Where on this machine a site's files are:
 *
 *     <dataDir>/sites/<application>/builds/<build>/source   a build that is started, with all that its steps left
 *     <dataDir>/sites/<application>/builds/<build>/whole    says that it is, and nothing is built there any more
 *     <dataDir>/sites/<application>/builds/<build>/site     a build of files: nothing but what is served
 *     <dataDir>/sites/<application>/builds/<build>/tmp      temporary files of its commands, until they have ended
 *     <dataDir>/sites/<application>/cache                   the home of its builds
 *     <dataDir>/sites/<application>/kept                    what frameworks keep for the next build (kept-folders.ts)
 *     <dataDir>/sites/<application>/environments/<environment>/home             the home of what runs, which outlives releases
 *     <dataDir>/sites/<application>/environments/<environment>/volumes/<name>   the same, where its processes look for it
 *     <dataDir>/sites/layers/<instance>                     what a process writes into its release's folder, while it runs
 *     <dataDir>/sites/trash                                 what is being removed
 *     <dataDir>/copies/<application>/<build>                in a cluster, a build of files: what is served here (site-copies.ts)
 *     <dataDir>/nodes/<version>                             Node.js, where applications ask for another version than ours
 *     <dataDir>/repositories/<application>                  what git keeps of its repository
 *     <dataDir>/repositories/trash                          what is being removed of those
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
    kept: (applicationId: string) => join(application(applicationId), 'kept'),
    environments,
    environment,
    home,
    volume: (key: EnvironmentKey, name: string) =>
      name === HOME_CONTENT ? home(key) : join(environment(key), 'volumes', name),
    layers: join(base, 'layers'),
    layer: (instance: string) => join(base, 'layers', instance),
    trash: join(base, 'trash'),
    copies,
    copiesOf: (applicationId: string) => join(copies, applicationId),
    copy: ({ applicationId, buildId }: BuildName) => join(copies, applicationId, buildId),
    nodes: join(dataDir, 'nodes'),
    repositories,
    forgotten: join(repositories, 'trash'),
  };
}

export type SiteFolders = ReturnType<typeof siteFolders>;
