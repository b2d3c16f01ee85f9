import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { DeveloperReader } from '../../identity/developers.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Fields, invalidField } from '../../kernel/fields.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { preferredLanguage } from '../../kernel/languages.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { authorizeApplication, noSuchApplication } from '../applications/access.ts';
import { healthPathOf } from '../applications/fields.ts';
import { PREFIX } from '../applications/routes.ts';
import { imageToDeploy } from '../applications/source.ts';
import type { ApplicationStore } from '../applications/store.ts';
import { readRef, refQuery } from '../deployments/fields.ts';
import { messages as deploying } from '../deployments/messages.ts';
import { describeFinding } from '../detection/findings.ts';
import type { Forecast } from '../model/forecast.ts';
import { describeReason } from '../model/reasons/reason.ts';
import type { SourceRef } from '../model/source-ref.ts';
import { forecastSchema, type PlanForecast, sharedSchemas } from './contract.ts';
import { messages } from './messages.ts';
import type { PlanStore } from './store.ts';

export interface PlanParts {
  store: PlanStore;
  applications: Pick<ApplicationStore, 'find'>;
  readDeveloper: DeveloperReader;
  clock: Clock;
}

/**
 * Longest wait of a request for a plan, long enough for large repositories; a repeated request waits for the same plan.
 */
const LONGEST_WAIT_MS = 30_000;
const LOOK_MS = 150;
const COME_BACK = { headers: { 'retry-after': '5' } };

/** Serves the forecast of a deployment: `/api/v1/applications/{uuid}/plan`. */
export function servePlans(server: Server, { store, applications, readDeveloper, clock }: PlanParts): void {
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  server.app.register(
    async (app: App) => {
      app.addHook('onRequest', server.requireDatabase);
      app.addHook('onRequest', authorizeApplication(server, readDeveloper, applications));

      app.get('', { schema: forecastSchema }, async (request, reply) => {
        const { application, developer } = request;
        const ref = requestedRef(request);
        if (!developer.verified) throw new Refusal(403, 'unverified', deploying.notVerified);
        // Requests for a plan are strictly limited, because each of them fetches a repository.
        await server.strictLimit(request, reply, `plan:${developer.accountId}`);
        if (!(await store.isHosted())) throw new Refusal(503, 'no_host', messages.noHost, COME_BACK);
        const id = await store.ask(application.environment_id, ref, clock());
        if (id === undefined) throw noSuchApplication();
        for (const deadline = performance.now() + LONGEST_WAIT_MS; performance.now() < deadline; ) {
          const forecast = await store.answer(id);
          if (forecast) return presentForecast(request, forecast);
          if (request.raw.destroyed) break;
          await sleep(LOOK_MS);
        }
        throw new Refusal(503, 'plan_not_ready', messages.notReady, COME_BACK);
      });
    },
    { prefix: `${PREFIX}/:uuid/plan` },
  );
}

/** Commit, branch or tag that the query names. Throws if the application's source has nothing of that kind. */
function requestedRef({ application, query }: FastifyRequest): SourceRef | undefined {
  const named = Object.entries(query as Fields).filter(([name]) => Object.hasOwn(refQuery, name));
  const ref = readRef(Object.fromEntries(named));
  if (application.image !== null) imageToDeploy(application.image, ref);
  else if (ref && application.repository === null) throw invalidField(ref.type, deploying.uploadedRef);
  return ref;
}

function presentForecast({ application, headers }: FastifyRequest, forecast: Forecast): PlanForecast {
  const { commit, branches, root, plan, reason } = forecast;
  const language = preferredLanguage(headers['accept-language']);
  return {
    application_uuid: application.application_uuid,
    commit_hash: commit?.hash ?? null,
    commit_message: commit?.message ?? null,
    commit_author: commit?.author ?? null,
    branches: branches ?? null,
    plan: plan
      ? {
          type: plan.build.kind,
          node: plan.build.node ?? null,
          steps: plan.build.steps.map(({ name, command, at }) => ({ name, command, folder: at ?? root })),
          publish: [...plan.build.publish],
          caches: [...(plan.build.caches ?? [])],
          processes: plan.run.processes,
          release: plan.run.release ?? null,
          cron: [...(plan.run.cron ?? [])],
          port: plan.run.port ?? null,
          health_path: healthPathOf(application, plan.run),
          spa: plan.run.spa ?? null,
          image: plan.build.image ?? null,
          dockerfile: plan.build.dockerfile ? { target: null, args: {}, ...plan.build.dockerfile } : null,
          programs: (plan.build.programs ?? []).map(({ name, package: brings }) => ({
            name,
            package: brings,
          })),
          variables: plan.build.variables ?? {},
        }
      : null,
    findings: (plan?.findings ?? []).map((finding) => ({
      kind: finding.kind,
      line: 'line' in finding ? finding.line : null,
      value: 'value' in finding ? finding.value : null,
      by: 'by' in finding ? finding.by : null,
      said: describeFinding(finding, language),
    })),
    reason: reason ? describeReason(reason, language) : null,
    reason_code: reason?.code ?? null,
  };
}
