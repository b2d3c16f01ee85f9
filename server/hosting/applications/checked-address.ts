import type { Config } from '../../kernel/config.ts';
import { resolveHost } from '../../kernel/public-hosts.ts';
import { GIT_PROTOCOLS } from '../../kernel/settings.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import { judgeRepository, type Repository } from './repository.ts';

export type AddressSettings = Pick<Config, 'appsGitProtocols' | 'appsAllowPrivateHosts'>;

/**
 * Checks that a repository's address may be fetched now, and resolves its host to an IP address. Throws RuntimeFailure
 * if it may not be fetched.
 */
export async function checkedAddress(
  address: string,
  { appsGitProtocols, appsAllowPrivateHosts }: AddressSettings,
): Promise<Repository & { pinned: string | undefined }> {
  const judged = judgeRepository(address, GIT_PROTOCOLS);
  if ('wrong' in judged) throw new RuntimeFailure(reason('repository_refused'));
  const { host, protocol } = judged;
  if (!appsGitProtocols.includes(protocol)) {
    const accepted = appsGitProtocols.join(', ');
    throw new RuntimeFailure(reason('protocol_refused', { protocol, accepted }));
  }
  const resolved = host ? await resolveHost(host, appsAllowPrivateHosts) : { address: undefined };
  if ('wrong' in resolved) throw new RuntimeFailure(reason('repository_refused'));
  return { ...judged, pinned: resolved.address };
}
