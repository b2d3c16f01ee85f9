import * as z from 'zod';
import { findApplication, siteParameters } from '../applications.ts';
import { usageError } from '../errors.ts';
import type { Server } from '../server.ts';

/** Arguments that tools about a site share. */
export const SITE = {
  site: z
    .string()
    .min(1)
    .max(200)
    .exactOptional()
    .describe('Name, subdomain or uuid; otherwise the site of .simcha.json in the current folder.'),
};

/** Arguments that tools about a site or one of its previews share. */
export const SITE_OR_PREVIEW = {
  ...SITE,
  preview: z
    .string()
    .min(1)
    .max(200)
    .exactOptional()
    .describe('Name of a preview of the site, rather than production.'),
};

const ref = z.string().min(1).max(250).exactOptional();

/** Input that names what is deployed, instead of the newest commit. */
export const REFS = { commit: ref, branch: ref, tag: ref };

export function refuseSeveralRefs(refs: object): void {
  if (Object.keys(refs).length > 1) throw usageError('Pass only one of commit, branch and tag.');
}

/** Application that a call names, with the client and the parameters of routes about it. */
export async function findSite(
  server: Server,
  { site, preview }: { site?: string | undefined; preview?: string | undefined },
) {
  if (site === undefined && !server.project)
    throw usageError('No site is named.', 'Pass "site"; list_sites has the names.');
  const application = await findApplication(server, site);
  return { application, client: server.client, ...siteParameters(application, preview) };
}

export type FoundSite = Awaited<ReturnType<typeof findSite>>;
