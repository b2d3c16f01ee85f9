import {
  type Deployment,
  deploy,
  followDeploymentLines,
  idempotencyKey,
  listDeployments,
  readDeployment,
  readDeploymentLog,
  restart,
  rollBack,
} from 'simcha-client';
import * as z from 'zod';
import { CommandError } from '../errors.ts';
import { newestLines, numberOfLines } from './log-lines.ts';
import { type FoundSite, findSite, REFS, refuseSeveralRefs, SITE_OR_PREVIEW } from './site.ts';
import { READS, REPLACES, type Tool, tool } from './tool.ts';

/** Number of log lines in an answer about a deployment that was waited for. */
const LINES_AFTER_WAIT = 30;

/** Clients give up on a call after a minute unless told otherwise, so the usual wait is shorter. */
const WAIT = {
  wait_seconds: z
    .int()
    .min(0)
    .max(600)
    .default(45)
    .describe('How long to wait for the end; the deployment goes on after it.'),
};

export const DEPLOYMENT_TOOLS: readonly Tool[] = [
  tool({
    name: 'deploy_site',
    title: 'Deploy a site',
    description:
      'Deploys the newest commit, or the named commit, branch or tag, and waits for the end. A site of uploads is built again from the last upload. A failed deployment leaves the former version live.',
    annotations: REPLACES,
    input: { ...SITE_OR_PREVIEW, ...REFS, ...WAIT },
    run: async (server, { site, preview, wait_seconds: seconds, ...refs }, signal) => {
      refuseSeveralRefs(refs);
      const found = await findSite(server, { site, preview });
      const { client, path, query } = found;
      const { data } = await deploy({ client, path, query, body: refs, headers: idempotencyKey() });
      return waitAndDescribe(found, data, seconds, signal);
    },
  }),
  tool({
    name: 'deployment_status',
    title: 'Show a deployment',
    description:
      'Shows the status of a deployment, why it failed, and the newest lines of its log. Without an id: of the newest deployment.',
    annotations: READS,
    input: {
      ...SITE_OR_PREVIEW,
      deployment: z.uuid().exactOptional().describe('Its id, from list_deployments.'),
      lines: numberOfLines(LINES_AFTER_WAIT),
    },
    run: async (server, { deployment, lines, ...input }) => {
      const found = await findSite(server, input);
      return describeDeployment(found, deployment ?? (await newestDeployment(found)), lines);
    },
  }),
  tool({
    name: 'list_deployments',
    title: 'List deployments',
    description: 'Lists the deployments of a site, newest first; is_current marks the version that is live.',
    annotations: READS,
    input: { ...SITE_OR_PREVIEW, limit: z.int().min(1).max(50).default(10) },
    run: async (server, { limit, ...input }) => {
      const { client, path, query } = await findSite(server, input);
      const { data } = await listDeployments({ client, path, query: { ...query, limit } });
      return { deployments: data.deployments.map(summaryOf), total: data.total };
    },
  }),
  tool({
    name: 'roll_back_site',
    title: 'Roll a site back',
    description:
      'Runs an earlier release again, without a build: the named deployment, otherwise the one that was live before.',
    annotations: REPLACES,
    input: {
      ...SITE_OR_PREVIEW,
      deployment: z.uuid().exactOptional().describe('Its id, from list_deployments; it must have been live.'),
      ...WAIT,
    },
    run: async (server, { deployment, wait_seconds: seconds, ...input }, signal) => {
      const found = await findSite(server, input);
      const { client, path, query } = found;
      const body = deployment === undefined ? {} : { deployment_uuid: deployment };
      const { data } = await rollBack({ client, path, query, body, headers: idempotencyKey() });
      return waitAndDescribe(found, data, seconds, signal);
    },
  }),
  tool({
    name: 'restart_site',
    title: 'Restart a site',
    description: 'Starts the current release again with the current variables, without a build.',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    input: { ...SITE_OR_PREVIEW, ...WAIT },
    run: async (server, { wait_seconds: seconds, ...input }, signal) => {
      const found = await findSite(server, input);
      const { client, path, query } = found;
      const { data } = await restart({ client, path, query, headers: idempotencyKey() });
      return waitAndDescribe(found, data, seconds, signal);
    },
  }),
];

/** Waits until a deployment ends, at most so long, and describes it. */
async function waitAndDescribe(
  site: FoundSite,
  { deployment_uuid: deployment }: Deployment,
  seconds: number,
  cancelled: AbortSignal,
) {
  const { client } = site;
  const path = { ...site.path, deployment };
  const signal = AbortSignal.any([cancelled, AbortSignal.timeout(seconds * 1000)]);
  let hasEnded = false;
  while (!hasEnded && !signal.aborted) {
    for await (const _line of followDeploymentLines({ client, path, signal }));
    hasEnded = (await readDeployment({ client, path })).data.ended_at !== null;
  }
  return describeDeployment(site, deployment, LINES_AFTER_WAIT);
}

async function describeDeployment(
  { client, path, application }: FoundSite,
  deployment: string,
  lines: number,
) {
  const whole = { ...path, deployment };
  const { data } = await readDeployment({ client, path: whole });
  const { data: log } = await readDeploymentLog({ client, path: whole });
  return {
    site: application.name,
    ...(data.preview === null && { address: application.domain }),
    ...summaryOf(data),
    log: newestLines(log, lines),
    ...(data.ended_at === null && { next: 'It is still under way: ask deployment_status again.' }),
  };
}

async function newestDeployment({ client, path, query }: FoundSite): Promise<string> {
  const { data } = await listDeployments({ client, path, query: { ...query, limit: 1 } });
  const [newest] = data.deployments;
  if (newest) return newest.deployment_uuid;
  throw new CommandError('There is no deployment yet.', { hint: 'Deploy first: deploy_site.' });
}

function summaryOf(deployment: Deployment) {
  return {
    deployment: deployment.deployment_uuid,
    action: deployment.action,
    status: deployment.status,
    is_current: deployment.is_current,
    reason: deployment.reason,
    commit: deployment.commit_hash,
    message: deployment.commit_message,
    requested_at: deployment.requested_at,
    ended_at: deployment.ended_at,
  };
}
