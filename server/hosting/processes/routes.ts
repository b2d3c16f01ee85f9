import type { FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { DeveloperReader } from '../../identity/developers.ts';
import { fieldsOf } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { preferredLanguage } from '../../kernel/languages.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import { authorizeApplication, noSuchApplication } from '../applications/access.ts';
import { type ChangeParts, makeChange } from '../applications/changes.ts';
import { PREFIX } from '../applications/routes.ts';
import type { ApplicationStore } from '../applications/store.ts';
import { describeReason } from '../model/reasons/reason.ts';
import { nextDue } from '../runs/schedule.ts';
import { changeSchema, type Processes, readSchema, sharedSchemas } from './contract.ts';
import { readCounts } from './fields.ts';
import { messages } from './messages.ts';
import type { ProcessStore } from './store.ts';

export interface ProcessParts extends ChangeParts {
  store: ProcessStore;
  applications: Pick<ApplicationStore, 'find'>;
  readDeveloper: DeveloperReader;
}

/** Serves an application's processes and their number: `/api/v1/applications/{uuid}/processes`. */
export function serveProcesses(server: Server, parts: ProcessParts): void {
  const { store, applications, readDeveloper, clock } = parts;
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  const presentProcesses = async (
    { application, headers }: FastifyRequest,
    through?: Kysely<unknown>,
  ): Promise<Processes> => {
    const found = await store.read(application.environment_id, through);
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

      app.get('', { schema: readSchema }, (request) => presentProcesses(request));

      app.patch('', { schema: changeSchema }, async (request, reply) => {
        const { environment_id: id } = request.application;
        const fields = fieldsOf(request.body);
        const names = await store.names(id);
        if (names?.length === 0) throw new Refusal(409, 'only_files', messages.onlyFiles);
        const counts = readCounts(fields, names);
        return makeChange(parts, request, reply, async (transaction) => {
          const { before, after } = await store.change(id, counts, transaction);
          const body = await presentProcesses(request, transaction);
          return { status: 200, body, history: { changes: changesBetween(before, after) ?? {} } };
        });
      });
    },
    { prefix: `${PREFIX}/:uuid/processes` },
  );
}
