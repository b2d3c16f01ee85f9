import type { Config } from '../../kernel/config.ts';
import { resolveHost } from '../applications/hosts.ts';
import { judgeRepository } from '../applications/repository.ts';
import type { ApplicationStore } from '../applications/store.ts';
import { RuntimeFailure } from '../builds/failure.ts';
import type { CheckedRepository } from '../builds/git-access.ts';
import { messages } from './messages.ts';

export type SourceSettings = Pick<Config, 'appsGitProtocols' | 'appsAllowPrivateHosts'>;

/**
 * The application's repository, judged again: what is allowed may have changed, and the name of its host may lead
 * elsewhere than when it was set. Throws a RuntimeFailure when it may not be fetched.
 */
export async function checkedRepository(
  applications: Pick<ApplicationStore, 'source'>,
  applicationId: string,
  { appsGitProtocols, appsAllowPrivateHosts }: SourceSettings,
): Promise<CheckedRepository> {
  const source = await applications.source(applicationId);
  if (!source) throw new RuntimeFailure(messages.applicationGone);
  const judged = judgeRepository(source.address, appsGitProtocols);
  if ('wrong' in judged) throw new RuntimeFailure(messages.repositoryRefused);
  const { host } = judged;
  const resolved = host ? await resolveHost(host, appsAllowPrivateHosts) : { address: undefined };
  if ('wrong' in resolved) throw new RuntimeFailure(messages.repositoryRefused);
  return { ...judged, branch: source.branch, pinned: resolved.address, privateKey: source.deployKey };
}
