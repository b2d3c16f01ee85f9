import type { Migrations } from '../kernel/database/migrate.ts';
import * as writes from './0001-writes.ts';
import * as identity from './0002-identity.ts';
import * as mail from './0003-mail.ts';
import * as events from './0004-events.ts';
import * as guests from './0005-guests.ts';
import * as answers from './0006-answers.ts';
import * as rounds from './0007-rounds.ts';
import * as vendors from './0008-vendors.ts';
import * as tallies from './0009-tallies.ts';
import * as checklist from './0010-checklist.ts';
import * as retention from './0011-retention.ts';
import * as applications from './0012-applications.ts';
import * as deployments from './0013-deployments.ts';
import * as domains from './0014-domains.ts';
import * as logs from './0015-logs.ts';
import * as fleet from './0016-fleet.ts';
import * as deliveries from './0017-deliveries.ts';
import * as deletedGuests from './0018-deleted-guests.ts';
import * as questions from './0019-questions.ts';
import * as calendarFeeds from './0020-calendar-feeds.ts';
import * as pictures from './0021-pictures.ts';
import * as agenda from './0022-agenda.ts';
import * as sessions from './0023-sessions.ts';
import * as deletedEvents from './0024-deleted-events.ts';
import * as visits from './0025-visits.ts';
import * as exampleEvents from './0026-example-events.ts';
import * as builds from './0027-builds.ts';
import * as processes from './0028-processes.ts';
import * as plans from './0029-plans.ts';
import * as runs from './0030-runs.ts';
import * as volumes from './0031-volumes.ts';
import * as fewOfMany from './0032-few-of-many.ts';
import * as planRequests from './0033-plan-requests.ts';
import * as previews from './0034-previews.ts';
import * as nodeVersions from './0035-node-versions.ts';
import * as clusters from './0036-clusters.ts';
import * as volumeContents from './0037-volume-contents.ts';
import * as keptContents from './0038-kept-contents.ts';
import * as codeRequests from './0039-code-requests.ts';
import * as mailSenders from './0040-mail-senders.ts';
import * as ownerBudgets from './0041-owner-budgets.ts';
import * as openTunnels from './0042-open-tunnels.ts';
import * as requestNetworks from './0043-request-networks.ts';

/** Every step of the schema, in the order in which they run. A new one goes to the end (CONTRIBUTING.md says how). */
export const migrations: Migrations = {
  '0001-writes': writes,
  '0002-identity': identity,
  '0003-mail': mail,
  '0004-events': events,
  '0005-guests': guests,
  '0006-answers': answers,
  '0007-rounds': rounds,
  '0008-vendors': vendors,
  '0009-tallies': tallies,
  '0010-checklist': checklist,
  '0011-retention': retention,
  '0012-applications': applications,
  '0013-deployments': deployments,
  '0014-domains': domains,
  '0015-logs': logs,
  '0016-fleet': fleet,
  '0017-deliveries': deliveries,
  '0018-deleted-guests': deletedGuests,
  '0019-questions': questions,
  '0020-calendar-feeds': calendarFeeds,
  '0021-pictures': pictures,
  '0022-agenda': agenda,
  '0023-sessions': sessions,
  '0024-deleted-events': deletedEvents,
  '0025-visits': visits,
  '0026-example-events': exampleEvents,
  '0027-builds': builds,
  '0028-processes': processes,
  '0029-plans': plans,
  '0030-runs': runs,
  '0031-volumes': volumes,
  '0032-few-of-many': fewOfMany,
  '0033-plan-requests': planRequests,
  '0034-previews': previews,
  '0035-node-versions': nodeVersions,
  '0036-clusters': clusters,
  '0037-volume-contents': volumeContents,
  '0038-kept-contents': keptContents,
  '0039-code-requests': codeRequests,
  '0040-mail-senders': mailSenders,
  '0041-owner-budgets': ownerBudgets,
  '0042-open-tunnels': openTunnels,
  '0043-request-networks': requestNetworks,
};
