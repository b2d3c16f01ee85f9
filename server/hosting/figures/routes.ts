import type { Kysely } from 'kysely';
import type { DeveloperReader } from '../../identity/developers.ts';
import { type Clock, toTimestamp } from '../../kernel/clock.ts';
import type { Fields } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { readQuery } from '../../kernel/query-types.ts';
import { authorizeApplication } from '../applications/access.ts';
import type { ApplicationStore } from '../applications/store.ts';
import { readSchema, sharedSchemas } from './contract.ts';
import { figuresQuery } from './fields.ts';
import { presentIntervals, presentProcesses, presentTraffic, totalOf } from './figures.ts';
import { HOURS, stepFor } from './levels.ts';
import { readEndedDeployments, readProcessUse, readTraffic } from './store.ts';

const DEFAULT_SECONDS = 24 * 3_600;

export interface FiguresParts {
  db: Kysely<unknown>;
  applications: Pick<ApplicationStore, 'find'>;
  readDeveloper: DeveloperReader;
  clock: Clock;
}

/** Serves the figures of a site: `/api/v1/applications/{uuid}/figures`. */
export function serveFigures(server: Server, { db, applications, readDeveloper, clock }: FiguresParts): void {
  for (const schema of sharedSchemas) server.app.addSchema(schema);
  server.app.register(async (app: App) => {
    app.addHook('onRequest', server.requireDatabase);
    app.addHook('onRequest', authorizeApplication(server, readDeveloper, applications));

    app.get('/api/v1/applications/:uuid/figures', { schema: readSchema }, async (request) => {
      const { environment_id: id } = request.application;
      const requested = readQuery(figuresQuery, request.query as Fields);
      const range = rangeOf(requested, clock());
      const [traffic, processes, deployments] = await Promise.all([
        readTraffic(db, id, range),
        readProcessUse(db, id, range),
        readEndedDeployments(db, id, range.since),
      ]);
      const seconds = {
        since: range.since.epochMilliseconds / 1_000,
        until: range.until.epochMilliseconds / 1_000,
        step: range.step,
      };
      return {
        since: toTimestamp(range.since),
        until: toTimestamp(range.until),
        step: range.step,
        total: presentTraffic(totalOf(traffic)),
        intervals: presentIntervals(traffic, seconds),
        processes: presentProcesses(processes),
        deployments,
      };
    });
  });
}

/** Time of the figures to read: from the start of the interval that contains `since`, within what is stored. */
function rangeOf(
  requested: { since: Temporal.Instant | undefined; step: number | undefined },
  now: Temporal.Instant,
) {
  const nowSeconds = Math.floor(now.epochMilliseconds / 1_000);
  const wished = requested.since
    ? Math.floor(requested.since.epochMilliseconds / 1_000)
    : nowSeconds - DEFAULT_SECONDS;
  const age = Math.min(Math.max(nowSeconds - wished, 1), HOURS.keptSeconds);
  const step = stepFor(age, requested.step);
  const first = Math.floor((nowSeconds - age) / step) * step;
  return { since: Temporal.Instant.fromEpochMilliseconds(first * 1_000), until: now, step };
}
