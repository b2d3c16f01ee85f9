import { type Config, GIT_PROTOCOLS } from '../../kernel/config.ts';
import { resolveHost } from '../applications/hosts.ts';
import { judgeRepository } from '../applications/repository.ts';
import type { Application, ApplicationStore } from '../applications/store.ts';
import type { CheckedRepository } from '../builds/git-access.ts';
import { RuntimeFailure } from '../reasons/failure.ts';
import { reason } from '../reasons/reason.ts';

export type SourceSettings = Pick<Config, 'appsGitProtocols' | 'appsAllowPrivateHosts'>;

/**
 * The application's repository, judged again: what is allowed may have changed, and the name of its host may lead
 * elsewhere than when it was set. Throws a RuntimeFailure when it may not be fetched.
 */
export async function checkedRepository(
  applications: Pick<ApplicationStore, 'source'>,
  { application_uuid: applicationId, branch }: Pick<Application, 'application_uuid' | 'branch'>,
  { appsGitProtocols, appsAllowPrivateHosts }: SourceSettings,
): Promise<CheckedRepository> {
  const source = await applications.source(applicationId);
  if (!source) throw new RuntimeFailure(reason('application_gone'));
  const judged = judgeRepository(source.address, GIT_PROTOCOLS);
  if ('wrong' in judged) throw new RuntimeFailure(reason('repository_refused'));
  const { host, protocol } = judged;
  if (!appsGitProtocols.includes(protocol)) {
    const accepted = appsGitProtocols.join(', ');
    throw new RuntimeFailure(reason('protocol_refused', { protocol, accepted }));
  }
  const resolved = host ? await resolveHost(host, appsAllowPrivateHosts) : { address: undefined };
  if ('wrong' in resolved) throw new RuntimeFailure(reason('repository_refused'));
  return { ...judged, branch, pinned: resolved.address, privateKey: source.deployKey };
}
