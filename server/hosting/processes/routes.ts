import type { FastifyRequest } from 'fastify';
import type { DeveloperReader } from '../../identity/developers.ts';
import type { Clock } from '../../kernel/clock.ts';
import { fieldsOf } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { preferredLanguage } from '../../kernel/languages.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { authorizeApplication, noSuchApplication } from '../applications/access.ts';
import { PREFIX } from '../applications/routes.ts';
import type { ApplicationStore } from '../applications/store.ts';
import { describeReason } from '../model/reasons/reason.ts';
import { nextDue } from '../runs/schedule.ts';
import { changeSchema, type Processes, readSchema, sharedSchemas } from './contract.ts';
import { readCounts } from './fields.ts';
import { messages } from './messages.ts';
import type { ProcessStore } from './store.ts';

export interface ProcessParts {
  store: ProcessStore;
  applications: Pick<ApplicationStore, 'find'>;
  readDeveloper: DeveloperReader;
  clock: Clock;
}

/** Serves an application's processes and their number: `/api/v1/applications/{uuid}/processes`. */
export function serveProcesses(
  server: Server,
  { store, applications, readDeveloper, clock }: ProcessParts,
): void {
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  const presentProcesses = async ({ application, headers }: FastifyRequest): Promise<Processes> => {
    const found = await store.read(application.environment_id);
    if (!found) throw noSuchApplication();
    const { processes, release, jobs, isStopped } = found;
    const language = preferredLanguage(headers['accept-language']);
    const now = clock().epochMilliseconds;
    return {
      application_uuid: application.application_uuid,
      release,
      jobs: jobs.map((job) => {
        // Previews run no scheduled jobs.
        const isOff = isStopped || application.preview !== null;
        const next = isOff ? null : nextDue(job.schedule, application.time_zone, now);
        return { ...job, next_at: next === null ? null : new Date(next).toISOString() };
      }),
      processes: processes.map(({ replicas, ...process }) => ({
        ...process,
        replicas: replicas.map(({ note, since, ...replica }) => ({
          ...replica,
          since: since && new Date(since).toISOString(),
          reason: note && describeReason(note, language),
        })),
      })),
    };
  };

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authorizeApplication(server, readDeveloper, applications));

      app.get('', { schema: readSchema }, presentProcesses);

      app.patch('', { schema: changeSchema }, async (request) => {
        const { environment_id: id } = request.application;
        const fields = fieldsOf(request.body);
        const names = await store.names(id);
        if (names?.length === 0) throw new Refusal(409, 'only_files', messages.onlyFiles);
        await store.change(id, readCounts(fields, names));
        return presentProcesses(request);
      });
    },
    { prefix: `${PREFIX}/:uuid/processes` },
  );
}
