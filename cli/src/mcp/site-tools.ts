import { readAccessLog, readPlan, readSiteLog, updateEnvironment } from 'simcha-client';
import * as z from 'zod';
import { allApplications } from '../applications.ts';
import { readGivenValues } from '../variables.ts';
import { newestLines, numberOfLines } from './log-lines.ts';
import { findSite, REFS, refuseSeveralRefs, SITE, SITE_OR_PREVIEW } from './site.ts';
import { READS, REPLACES, type Tool, tool } from './tool.ts';

/** Maximum number of sites in an answer. */
const MOST_SITES = 100;

const RESTART_NEEDED = 'The site gets the change with its next deployment or restart: restart_site.';

const variableName = z.string().min(1).max(200);

export const SITE_TOOLS: readonly Tool[] = [
  tool({
    name: 'list_sites',
    title: 'List sites',
    description: 'Lists the sites (applications) with status and address.',
    annotations: READS,
    input: {},
    run: async (server) => {
      const all = await allApplications(server);
      const sites = all.slice(0, MOST_SITES).map((one) => ({
        name: one.name,
        uuid: one.application_uuid,
        status: one.status,
        address: one.domain,
        source: one.source,
        deployed_at: one.deployed_at,
      }));
      return { sites, total: all.length };
    },
  }),
  tool({
    name: 'show_site',
    title: 'Show a site',
    description: 'Shows the settings and the status of a site.',
    annotations: READS,
    input: SITE,
    run: async (server, input) => (await findSite(server, input)).application,
  }),
  tool({
    name: 'plan_site',
    title: 'Plan a deployment',
    description: 'Shows what a deployment would install, build and start, and why, without deploying.',
    annotations: READS,
    input: { ...SITE_OR_PREVIEW, ...REFS },
    run: async (server, { site, preview, ...refs }) => {
      refuseSeveralRefs(refs);
      const { client, path, query } = await findSite(server, { site, preview });
      return (await readPlan({ client, path, query: { ...query, ...refs } })).data;
    },
  }),
  tool({
    name: 'read_site_log',
    title: 'Read the log of a site',
    description: 'Reads the newest lines that the running site printed, or the newest requests to it.',
    annotations: READS,
    input: {
      ...SITE_OR_PREVIEW,
      log: z.enum(['output', 'requests']).default('output'),
      lines: numberOfLines(50),
    },
    run: async (server, { log, lines, ...input }) => {
      const { client, path, query } = await findSite(server, input);
      const read = log === 'requests' ? readAccessLog : readSiteLog;
      const { data } = await read({ client, path, query: { ...query, lines } });
      return newestLines(data, lines).join('\n') || 'The log is empty.';
    },
  }),
  tool({
    name: 'list_variables',
    title: 'List environment variables',
    description:
      'Lists the names of the environment variables that the site gets, also from linked groups. Values are secrets: ask for them only if needed.',
    annotations: READS,
    input: { ...SITE_OR_PREVIEW, show_values: z.boolean().default(false).describe('Return the values too.') },
    run: async (server, { show_values: isShown, ...input }) => {
      const variables = await readGivenValues(await findSite(server, input));
      return isShown ? { variables } : { names: Object.keys(variables).sort() };
    },
  }),
  tool({
    name: 'set_variables',
    title: 'Set environment variables',
    description: 'Sets environment variables; others stay. The running site gets them by a restart.',
    annotations: { ...REPLACES, idempotentHint: true },
    input: {
      ...SITE_OR_PREVIEW,
      variables: z.record(variableName, z.string()).describe('Values by name.'),
    },
    run: async (server, { variables, ...input }) => {
      const { client, path, query } = await findSite(server, input);
      await updateEnvironment({ client, path, query, body: variables });
      return { set: Object.keys(variables), next: RESTART_NEEDED };
    },
  }),
  tool({
    name: 'unset_variables',
    title: 'Delete environment variables',
    description: 'Deletes environment variables. The running site loses them by a restart.',
    annotations: { ...REPLACES, idempotentHint: true },
    input: { ...SITE_OR_PREVIEW, names: z.array(variableName).min(1).max(100) },
    run: async (server, { names, ...input }) => {
      const { client, path, query } = await findSite(server, input);
      const body = Object.fromEntries(names.map((name) => [name, null]));
      await updateEnvironment({ client, path, query, body });
      return { unset: names, next: RESTART_NEEDED };
    },
  }),
];
