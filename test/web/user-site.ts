import type { Page } from 'playwright-core';
import { GROUPS, type Section } from '../../web/src/features/sites/api/sections.ts';
import { createRepository, type TestRepository } from '../support/git.ts';
import { ANY_DATABASE } from '../support/server.ts';
import { newSession, type TestSession } from '../support/sessions.ts';
import { type SharedServer, sharedServer } from '../support/shared-server.ts';

/** Server of the console's tests that runs sites from repositories of this machine. */
export const serverWithSites = () => sharedServer(ANY_DATABASE, { APPS_GIT_PROTOCOLS: 'file' });

/** Site of a new user who is signed in. */
export interface UserSite extends AsyncDisposable {
  server: SharedServer;
  session: TestSession;
  repository: TestRepository;
  /** Name of the site in addresses. */
  name: string;
  /** Deploys the newest commit, and returns the deployment once it has ended. */
  deploy(): Promise<{ deployment_uuid: string; status: string }>;
}

/** Makes a site with these files, which is not deployed. */
export async function newUserSite(
  files: Record<string, string> = { 'index.html': 'hello' },
): Promise<UserSite> {
  const server = await serverWithSites();
  const session = await newSession(server);
  const repository = await createRepository(files);
  const body = { name: 'The menu', repository: repository.address };
  const { subdomain } = (await session.call('POST', '/api/v1/applications', { body })).body;
  const path = `/api/v1/applications/${subdomain}`;
  return {
    server,
    session,
    repository,
    name: subdomain,
    async deploy() {
      const { deployment_uuid: id } = (await session.call('POST', `${path}/deploy`)).body;
      return (await session.call('GET', `${path}/deployments/${id}?wait=60`)).body;
    },
    [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose](),
  };
}

/** Opens a section of a site by its navigation: first its group, then the section in it. */
export async function openSiteSection(page: Page, name: string, { to }: Section): Promise<void> {
  const group = GROUPS.find(({ sections }) => sections.some((one) => one.to === to));
  for (const path of [group?.sections[0].to ?? to, to])
    await page
      .locator(`main nav a[href="${path.replace('$name', name)}"]`)
      .last()
      .click();
}
