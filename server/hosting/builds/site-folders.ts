import { join } from 'node:path';

export interface ReleaseName {
  applicationId: string;
  releaseId: string;
}

/**
 * Where on this machine a site's files are:
 *
 *     <dataDir>/sites/<application>/releases/<release>/source   a release that is started, with what its build left
 *     <dataDir>/sites/<application>/releases/<release>/site     a release of files: nothing but what is served
 *     <dataDir>/sites/<application>/cache                       the home of its builds
 *     <dataDir>/sites/<application>/home                        the home of what runs, which outlives releases
 *     <dataDir>/sites/trash                                     what is being removed
 *     <dataDir>/repositories/<application>                      what git keeps of its repository
 *     <dataDir>/repositories/trash                              what is being removed of those
 */
export function siteFolders(dataDir: string) {
  const base = join(dataDir, 'sites');
  const application = (applicationId: string) => join(base, applicationId);
  const releases = (applicationId: string) => join(application(applicationId), 'releases');
  const release = ({ applicationId, releaseId }: ReleaseName) => join(releases(applicationId), releaseId);
  const repositories = join(dataDir, 'repositories');
  return {
    base,
    application,
    releases,
    release,
    source: (name: ReleaseName) => join(release(name), 'source'),
    site: (name: ReleaseName) => join(release(name), 'site'),
    cache: (applicationId: string) => join(application(applicationId), 'cache'),
    home: (applicationId: string) => join(application(applicationId), 'home'),
    trash: join(base, 'trash'),
    repositories,
    forgotten: join(repositories, 'trash'),
  };
}

export type SiteFolders = ReturnType<typeof siteFolders>;
