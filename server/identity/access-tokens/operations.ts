import type { LimitedScope } from './scopes.ts';

/** Operations that every token allows. */
const OF_ANY_TOKEN = ['readMe', 'readCurrentToken', 'revokeCurrentToken'];

const EVENT_READING = ['readEvent', 'listEvents', 'listSharedEvents', 'listQuestions', 'readQuestion'];
const GUEST_READING = [
  'listGuests',
  'readGuest',
  'countGuests',
  'listTags',
  'readGuestNumbers',
  'listAnswerDays',
  'readCatererReport',
  'readCatererCsv',
  'exportGuests',
  'listGuestRequests',
  'streamGuests',
];
const ROUND_READING = [
  'listRounds',
  'readRound',
  'listRoundChannels',
  'listRoundGuests',
  'suggestRounds',
  'listCalls',
];
const APPLICATION_READING = [
  'listApplications',
  'readApplication',
  'listLastDeployments',
  'listVariableNames',
];
const SITE_READING = [
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
];

/**
 * Operations, by `operationId`, that each scope of an access token allows, on both sides of the product. An operation
 * that is not in this table requires `full`: all that concerns credentials (tokens, deploy keys, push hooks, webhooks,
 * backups of volumes, the calendar feed's secret address), sharing and deleting events or applications, and erasing
 * guests.
 */
export const OPERATIONS: Readonly<Record<LimitedScope, readonly string[]>> = {
  // Secrets are not in this list: the scope `read` can't read variables of sites or guests' personal links.
  read: [
    ...EVENT_READING,
    ...GUEST_READING,
    ...ROUND_READING,
    'readToday',
    'listCoOrganizers',
    'listVendors',
    'readVendor',
    'listBookedVendors',
    'listBookings',
    'listDeletedBookings',
    'readBooking',
    'readBudget',
    'readWarnings',
    'readChecklist',
    'readFacts',
    'readChecklistItem',
    'readEventCalendar',
    'readCalendarDays',
    'readHistory',
    'listDeletedGuests',
    'readSamplePage',
    'readRsvpSettings',
    'readEventInvitation',
    'readPicture',
    'readNotices',
    'listAgenda',
    'readAgendaItem',
    'readRetention',
    ...APPLICATION_READING,
    ...SITE_READING,
    'listVolumes',
    'readVolume',
    'listDomains',
    'readDomain',
    'readRules',
    'listPeople',
    'listApplicationHistory',
    'readOwnBudget',
  ],
  deploy: [
    ...APPLICATION_READING,
    ...SITE_READING,
    'readOwnBudget',
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
  env: [
    ...APPLICATION_READING,
    'readEnvironment',
    'updateEnvironment',
    'readVariables',
    'updateVariables',
    'listVariableGroups',
    'createVariableGroup',
    'readVariableGroup',
    'updateVariableGroup',
    'deleteVariableGroup',
    'linkVariableGroup',
    'unlinkVariableGroup',
  ],
  guests: [
    ...EVENT_READING,
    ...GUEST_READING,
    'createGuest',
    'updateGuest',
    'deleteGuest',
    'listDeletedGuests',
    'restoreGuest',
    'changeGuests',
    'deleteGuests',
    'restoreGuests',
    'importGuests',
    'importGuestsFromCsv',
    'importGuestsFromXlsx',
    'importGuestsFromOds',
    'acceptGuestRequest',
    'declineGuestRequest',
    'declineGuestRequests',
    'listGuestLinks',
    'readGuestLink',
    'revokeGuestLink',
  ],
  messages: [
    ...EVENT_READING,
    ...ROUND_READING,
    'listGuests',
    'readGuest',
    'countGuests',
    'listTags',
    'readSamplePage',
    'readEventInvitation',
    'sendRound',
    'updateRound',
    'callOffRound',
    'listNextOfRound',
    'takeNextOfRound',
    'markTold',
    'markNotTold',
    'leaveForLater',
    'addCall',
  ],
  door: ['readEvent', 'listEvents', 'listGuests', 'readGuest', 'countGuests', 'listTags', 'streamGuests'],
};

/** Scopes that allow each operation; an empty list: any token allows it. */
export const scopesOfOperation: Readonly<Record<string, readonly string[]>> = scopesByOperation();

function scopesByOperation(): Record<string, string[]> {
  const scopes: Record<string, string[]> = Object.fromEntries(OF_ANY_TOKEN.map((one) => [one, []]));
  for (const [scope, operations] of Object.entries(OPERATIONS)) {
    for (const operation of operations) {
      scopes[operation] ??= [];
      scopes[operation].push(scope);
    }
  }
  return scopes;
}
