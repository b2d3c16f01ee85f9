import type { Migrations } from '../kernel/database/migrate.ts';
import * as kernel from './0001-kernel.ts';
import * as identity from './0002-identity.ts';
import * as events from './0003-events.ts';
import * as guests from './0004-guests.ts';
import * as answers from './0005-answers.ts';
import * as messages from './0006-messages.ts';
import * as vendors from './0007-vendors.ts';
import * as tallies from './0008-tallies.ts';
import * as applications from './0009-applications.ts';
import * as deployments from './0010-deployments.ts';
import * as controller from './0011-controller.ts';
import * as accessTokens from './0012-access-tokens.ts';
import * as figures from './0013-figures.ts';
import * as webhooks from './0014-webhooks.ts';
import * as people from './0015-people.ts';

/** Steps of the schema, in the order in which they run. A new one goes to the end (CONTRIBUTING.md says how). */
export const migrations: Migrations = {
  '0001-kernel': kernel,
  '0002-identity': identity,
  '0003-events': events,
  '0004-guests': guests,
  '0005-answers': answers,
  '0006-messages': messages,
  '0007-vendors': vendors,
  '0008-tallies': tallies,
  '0009-applications': applications,
  '0010-deployments': deployments,
  '0011-controller': controller,
  '0012-access-tokens': accessTokens,
  '0013-figures': figures,
  '0014-webhooks': webhooks,
  '0015-people': people,
};
