import { type AddressSettings, checkedAddress } from '../applications/checked-address.ts';
import type { Application, ApplicationStore } from '../applications/store.ts';
import type { CheckedRepository } from '../builds/git-access.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';

export type SourceSettings = AddressSettings;

/**
 * The application's repository, judged again: what is allowed may have changed, and the name of its host may lead
 * elsewhere than when it was set. Throws a RuntimeFailure when it may not be fetched.
 */
export async function checkedRepository(
  applications: Pick<ApplicationStore, 'source'>,
  { application_uuid: applicationId, branch }: Pick<Application, 'application_uuid' | 'branch'>,
  settings: SourceSettings,
): Promise<CheckedRepository> {
  const source = await applications.source(applicationId);
  if (!source) throw new RuntimeFailure(reason('application_gone'));
  const checked = await checkedAddress(source.address, settings);
  return { ...checked, branch, privateKey: source.deployKey };
}
