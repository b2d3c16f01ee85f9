import { isResting, type SiteRow } from '../../model/deployment-rows.ts';
import { WEB } from '../../model/plan.ts';
import { isDesired, type Slot, slotGroupsOf, slotName, slotsOf } from '../../model/slots.ts';

/** Desired state of a site, as its row in the database says. */
export type DesiredSite = Pick<SiteRow, 'deployment_uuid' | 'state' | 'plan' | 'requested' | 'serving'>;

export type EnvironmentSlot = Omit<Slot, 'environmentId'>;

/** State of a slot that is not free. */
export type ActualSlot = EnvironmentSlot &
  (
    | { state: 'serving'; instanceId: string; deploymentId: string; replicas: number }
    /** `isGivenUp`: true if the start is to end as soon as it can; the slot stays taken until then. */
    | { state: 'starting'; isGivenUp: boolean }
    /** The slot's former instance must have ended before the slot is started again. */
    | { state: 'stopping' }
  );

export interface ActualEnvironment {
  /** True while only a deployment may start instances of the environment. */
  isPaused: boolean;
  slots: readonly ActualSlot[];
}

export type Action =
  /** Gives up all starts of a site, and drains all of its instances that serve. */
  | { kind: 'stop-site' }
  | { kind: 'start'; slot: EnvironmentSlot }
  /** Drains an instance that is no longer desired. */
  | { kind: 'stop'; slot: EnvironmentSlot }
  /** Drains an instance and starts its slot again: the new instance starts beside it, or once it has ended. */
  | { kind: 'replace'; slot: EnvironmentSlot; order: 'start-first' | 'stop-first' }
  /** Drains an instance that the database has no record of. */
  | { kind: 'drain'; slot: EnvironmentSlot }
  | { kind: 'scale'; slot: EnvironmentSlot; replicas: number; isOneOfSeveral: boolean };

/**
 * Actions that bring an environment in line with the desired state of its site; undefined if it has no site. No slot
 * has more than one action. `groupsReplicas`: an instance is all replicas of its process.
 */
export function reconcileEnvironment(
  desired: DesiredSite | undefined,
  actual: ActualEnvironment,
  groupsReplicas: boolean,
): Action[] {
  if (!desired || isResting(desired.state)) return hasAnyToStop(actual) ? [{ kind: 'stop-site' }] : [];
  if (actual.isPaused) return [];
  const groups = new Map(slotGroupsOf(desired, groupsReplicas).map((group) => [slotName(group), group]));
  const isOneOfSeveral = slotsOf(desired).length > 1;
  const registered = new Set(desired.serving.map(({ id }) => id));

  const actionFor = (one: ActualSlot): Action | undefined => {
    if (one.state !== 'serving') return undefined;
    const slot = { process: one.process, number: one.number };
    const group = groups.get(slotName(slot));
    if (!isDesired(desired, slot)) return { kind: 'stop', slot };
    // Work of a background process must not be done twice, so an instance of its former release does not run beside the
    // new one.
    if (slot.process !== WEB && one.deploymentId !== desired.deployment_uuid)
      return { kind: 'replace', slot, order: 'stop-first' };
    // Gateways send no requests to an instance that the database has no record of.
    if (!registered.has(one.instanceId))
      return group ? { kind: 'replace', slot, order: 'start-first' } : { kind: 'drain', slot };
    if (group && group.replicas !== one.replicas)
      return { kind: 'scale', slot, replicas: group.replicas, isOneOfSeveral };
    return undefined;
  };

  const taken = new Set(actual.slots.map(slotName));
  const missing = [...groups].flatMap(([name, { process, number }]) =>
    taken.has(name) ? [] : { process, number },
  );
  return [
    ...actual.slots.flatMap((one) => actionFor(one) ?? []),
    ...missing.map((slot): Action => ({ kind: 'start', slot })),
  ];
}

function hasAnyToStop({ slots }: ActualEnvironment): boolean {
  return slots.some((one) => one.state === 'serving' || (one.state === 'starting' && !one.isGivenUp));
}
