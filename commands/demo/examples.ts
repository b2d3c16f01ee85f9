import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { newInvitation } from '../../server/identity/invitations.ts';
import { signToken } from '../../server/identity/tokens.ts';
import { type Config, ConfigError } from '../../server/kernel/config.ts';
import { openEncryption } from '../../server/kernel/encryption.ts';
import { storedSecret } from '../../server/kernel/secret.ts';

// The three sites of examples/ as git repositories, and a developer who deploys them on a server whose DATA_DIR is on
// this machine.

const EXAMPLES = new URL('../../examples/', import.meta.url).pathname;
/** Name of the demo site that is deployed from the folder of each example. */
export const SITES = { static: 'Save the date', node: 'The menu', rsvp: 'The invitation' } as const;
export type Example = keyof typeof SITES;

/** Waiting time for a mailed code: until a message is printed, and until an error. */
const WORD_MS = 2_000;
const CODE_MS = 20_000;
/** Time limit for the response of a running server. */
const ANSWER_MS = 5_000;
const NAME_WIDTH = 18;

export type Developer = Awaited<ReturnType<typeof newDeveloper>>;

export interface DeployedSite {
  name: string;
  /** Id of the site's application. */
  uuid: string;
  /** API path of the site's application. */
  at: string;
  address: string;
  repository: string;
  isLive: boolean;
}

/** Registers and verifies a developer. Throws a ConfigError that says what was refused, or that no code arrived. */
export async function newDeveloper(config: Config) {
  const email = `demo-${Date.now()}@example.com`;
  let key: string | undefined;

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const call = async (method: string, path: string, body?: object): Promise<any> => {
    const response = await fetch(`${config.publicUrl}/api/v1${path}`, {
      method,
      headers: {
        ...(key !== undefined && { 'x-api-key': key }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    const answer: any = await response.json();
    if (response.ok) return answer;
    const hint = /protocol/.test(answer.error)
      ? ' Start the server with APPS_GIT_PROTOCOLS=https,ssh,file.'
      : '';
    throw new ConfigError(`${method} ${path}: ${answer.error}${hint}`);
  };

  // The demo belongs to the operator, so it makes an invitation for itself, which works whatever REGISTRATION is.
  const until = Temporal.Now.instant().add({ hours: 1 });
  const invitation = newInvitation(await openEncryption(config), email, until);
  const { api_key } = await call('POST', '/users/register', { email, invitation });
  key = api_key;
  await call('POST', '/users/verify', { email, code: await mailedCode(config, email) });

  const ended = async (path: string) => {
    for (;;) {
      const deployment = await call('GET', path);
      if (deployment.ended_at) return deployment;
      await sleep(100);
    }
  };

  return {
    email,
    key: api_key as string,
    call,

    /** Deploys one of the examples and prints the result. */
    async deploy(example: Example): Promise<DeployedSite> {
      const name = SITES[example];
      const repository = await repositoryOf(config, example);
      const application = await call('POST', '/applications', { name, repository });
      const uuid: string = application.application_uuid;
      const at = `/applications/${uuid}`;
      if (example === 'rsvp') await call('PATCH', `${at}/env`, await eventVariables(config));
      const began = performance.now();
      const asked = await call('POST', `${at}/deploy`);
      const deployment = await ended(`${at}/deployments/${asked.deployment_uuid}`);
      printDeployment(name, began, deployment, application.domain);
      const isLive = deployment.status === 'live';
      return { name, uuid, at, address: application.domain, repository, isLive };
    },

    /** Creates a preview of a branch and prints the result. */
    async preview({ at }: DeployedSite, branch: string): Promise<void> {
      const began = performance.now();
      const preview = await call('POST', `${at}/previews`, { branch });
      const [asked] = (await call('GET', `${at}/deployments?preview=${preview.name}`)).deployments;
      const deployment = await ended(`${at}/deployments/${asked.deployment_uuid}`);
      printDeployment('… a preview of it', began, deployment, preview.domain);
    },
  };
}

function printDeployment(
  name: string,
  began: number,
  { status, reason }: { status: string; reason: string | null },
  address: string,
): void {
  printLine(name, `${status} in ${secondsSince(began)} s  ${address}`);
  if (status !== 'live') console.log(reason);
}

export function printLine(name: string, what: string): void {
  console.log(`${name.padEnd(NAME_WIDTH)} ${what}`);
}

export function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1);
}

/** Requests a page of a site from the server at `base`: some resolvers don't know names below localhost. */
export function requestPage(
  base: string,
  method: string,
  address: string,
  body?: string,
): Promise<{ status: number; text: string }> {
  const { host, pathname } = new URL(address);
  return new Promise((resolve, reject) => {
    request(new URL(pathname, base), { method, headers: { host } }, (response) =>
      readText(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject),
    )
      .on('error', reject)
      .end(body);
  });
}

export function isUp(base: string): Promise<boolean> {
  return fetch(`${base}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Code that was mailed: read from the outbox or, if the server really sends mail, asked for in the terminal. */
async function mailedCode(config: Config, email: string): Promise<string> {
  if (config.smtpUrl) {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    return terminal.question(`the code mailed to ${email}: `);
  }
  const outbox = join(config.dataDir, 'outbox');
  const word = setTimeout(
    () => console.log(`waiting for the code mailed to ${email}, in ${outbox}`),
    WORD_MS,
  );
  for (const deadline = Date.now() + CODE_MS; Date.now() < deadline; await sleep(50)) {
    for (const name of (await readdir(outbox).catch(() => [])).filter((one) => one.endsWith('.eml'))) {
      const mail = await readFile(join(outbox, name), 'utf8');
      const code = mail.includes(email) && /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(mail)?.[0];
      if (!code) continue;
      clearTimeout(word);
      return code;
    }
  }
  throw new ConfigError(
    `There is no code in ${outbox}: is this the DATA_DIR of the server at ${config.publicUrl}? Of several servers any may have taken up the mail.`,
  );
}

/** Makes a repository of an example, beside the data folder: servers take no repository from their own data. */
async function repositoryOf({ dataDir }: Config, example: Example): Promise<string> {
  const folder = join(`${dataDir}-demo`, example);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(join(EXAMPLES, example), folder, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  });
  runGit(folder, 'init', '--quiet', '--initial-branch=main');
  runGit(folder, 'add', '--all');
  runGit(folder, 'commit', '--quiet', '--message', 'The first version');
  return `file://${folder}`;
}

export function runGit(folder: string, ...args: string[]): void {
  const author = ['-c', 'user.name=Simcha', '-c', 'user.email=demo@example.com'];
  execFileSync('git', ['-C', folder, ...author, ...args]);
}

/**
 * Variables for the invitation site, with an event of a demo organizer. A real site would fetch the event from the API,
 * but a site can't reach this machine.
 */
async function eventVariables(config: Config): Promise<Record<string, string>> {
  const secret = config.jwtSecret ?? (await storedSecret(config.dataDir, 'jwt-secret'));
  const token = await signToken(secret, { id: 'demo', role: 'organizer' }, '5m');
  const response = await fetch(`${config.publicUrl}/api/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      title: 'החתונה של נועה ואיתי',
      event_date: `${Temporal.Now.plainDateISO().add({ days: 200 })}T19:30`,
      venue_name: 'גן האירועים עדן',
      venue_address: 'דרך השרון 12, הוד השרון',
    }),
  });
  const { event } = (await response.json()) as { event: object };
  return { EVENT: JSON.stringify(event) };
}
