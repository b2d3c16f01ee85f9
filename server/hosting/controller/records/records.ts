import type { Kysely } from 'kysely';
import type { Budgets } from '../../budgets/store.ts';
import { createLeaseFence, type LeaseFence } from '../../model/lease-fence.ts';
import type { OwnerMails } from '../../owner-mails/owner-mails.ts';
import { BuildRecords } from './builds.ts';
import { DeploymentRecords } from './deployments.ts';
import { InstanceRecords } from './instances.ts';
import { PushRecords } from './pushes.ts';
import { RunRecords } from './runs.ts';

/**
 * Records of hosting in the database, as the lease holder writes them: a change fails if another server has taken the
 * lease.
 */
export interface Records {
  fence: LeaseFence;
  deployments: DeploymentRecords;
  instances: InstanceRecords;
  builds: BuildRecords;
  runs: RunRecords;
  pushes: PushRecords;
}

export interface RecordsParts {
  db: Kysely<unknown>;
  generation: number;
  budgets: Budgets;
  /** Time after which a gateway that has not updated its row in the database counts as gone. */
  gatewayGoneMs: number;
  /** Mails to owners; undefined: none. */
  mails?: OwnerMails | undefined;
}

export function createRecords({ db, generation, budgets, gatewayGoneMs, mails }: RecordsParts): Records {
  const fence = createLeaseFence(db, generation);
  return {
    fence,
    deployments: new DeploymentRecords({ db, fence, budgets, mails }),
    instances: new InstanceRecords({ db, fence, gatewayGoneMs, mails }),
    builds: new BuildRecords({ db, fence }),
    runs: new RunRecords({ db, fence, budgets }),
    pushes: new PushRecords({ db, fence }),
  };
}
