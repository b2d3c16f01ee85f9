import { ROLES, type Role } from '../model/people.ts';

/**
 * Operations about one application, by `operationId`, that each role adds to those of the roles before it. Every route
 * under `/api/v1/applications/{uuid}` is in this table; the server refuses to start with one that is not.
 */
export const ROLE_OPERATIONS: Readonly<Record<Role, readonly string[]>> = {
  // Everything but secrets: values of variables, the push hook's secret, and contents of volumes.
  look: [
    'readApplication',
    'listVariableNames',
    'listHookDeliveries',
    'listDeployments',
    'readDeployment',
    'readDeploymentLog',
    'followDeploymentLog',
    'readSiteLog',
    'followSiteLog',
    'readFigures',
    'readAccessLog',
    'followAccessLog',
    'readPlan',
    'readSource',
    'readProcesses',
    'listRuns',
    'readRun',
    'readRunLog',
    'followRunLog',
    'listPreviews',
    'readPreview',
    'listVolumes',
    'readVolume',
    'listDomains',
    'readDomain',
    'readRules',
    'listPeople',
    'listApplicationHistory',
    // A person removes themselves; others are removed by the owner alone (people/routes.ts).
    'removePerson',
  ],
  deploy: [
    'deploy',
    'uploadSource',
    'cancelDeployment',
    'rollBack',
    'promote',
    'restart',
    'startSite',
    'stopSite',
    'scaleProcesses',
    'run',
    'cancelRun',
    'openPreview',
    'removePreview',
  ],
  administer: [
    'updateApplication',
    'readEnvironment',
    'updateEnvironment',
    'readVariables',
    'updateVariables',
    'createDeployKey',
    'readHook',
    'renewHook',
    'addDomain',
    'updateDomain',
    'checkDomain',
    'removeDomain',
    'updateRules',
    'addVolume',
    'removeVolume',
    'emptyVolume',
    'backUpVolume',
    'restoreVolume',
  ],
  // A linked group shows those who administer the application its values.
  owner: ['deleteApplication', 'invitePerson', 'changePerson', 'linkVariableGroup', 'unlinkVariableGroup'],
};

const requiredRoles = new Map<string, Role>(
  ROLES.flatMap((role) => ROLE_OPERATIONS[role].map((operation) => [operation, role] as const)),
);

/** Lowest role that allows an operation; undefined for an operation that is not about one application. */
export function requiredRole(operation: string): Role | undefined {
  return requiredRoles.get(operation);
}

/**
 * Lowest role in an application that allows to promote its release to another application. Whoever may deploy the other
 * one can read the release's files there; so if its owner is another person, the role must allow that here too.
 */
export function roleToPromoteFrom(source: { owner_id: string }, target: { owner_id: string }): Role {
  return source.owner_id === target.owner_id ? 'look' : 'deploy';
}

/** True if `role` allows what `required` allows. */
export function includesRole(role: Role, required: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(required);
}
