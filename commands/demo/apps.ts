import { execFileSync, spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { newInvitation } from '../../server/identity/invitations.ts';
import { signToken } from '../../server/identity/tokens.ts';
import { ConfigError, environment, readConfig } from '../../server/kernel/config.ts';
import { openEncryption } from '../../server/kernel/encryption.ts';
import { keptSecret } from '../../server/kernel/secret.ts';

// npm run demo -- apps: the three sites of examples/ as git repositories, registered, verified, deployed, and where
// to see them; one of them with a worker, and with a preview of a branch. A running server is used if it takes folders
// for repositories; else one is started, until Ctrl-C.

const config = readConfig(environment());
const API = `${config.publicUrl}/api/v1`;
const EMAIL = `demo-${Date.now()}@example.com`;
const EXAMPLES = new URL('../../examples/', import.meta.url).pathname;
/** How long a mailed code may take: until we say that we wait, and until we give up. */
const WORD_MS = 2_000;
const CODE_MS = 20_000;
const MAIN = new URL('../../server/main.ts', import.meta.url).pathname;

if (!(await isUp())) await startServer();
else if (!config.appsGitProtocols.includes('file')) {
  throw new ConfigError(
    `A server is running at ${config.publicUrl}: stop it, or set APPS_GIT_PROTOCOLS=https,ssh,file for it and for this command, for the demo's repositories are folders.`,
  );
}

let key: string | undefined;
// Whoever may join the server: the demo is its operator's.
const until = Temporal.Now.instant().add({ hours: 1 });
const invitation = newInvitation(await openEncryption(config), EMAIL, until);
key = (await call('POST', '/users/register', { email: EMAIL, invitation })).api_key;
await call('POST', '/users/verify', { email: EMAIL, code: await mailedCode() });
console.log(`registered and verified ${EMAIL}\n`);

for (const [folder, name] of [
  ['static', 'Save the date'],
  ['node', 'The menu'],
  ['rsvp', 'The invitation'],
] as const) {
  const repository = await repositoryOf(folder);
  const application = await call('POST', '/applications', { name, repository });
  const at = `/applications/${application.application_uuid}`;
  if (folder === 'rsvp') await call('PATCH', `${at}/env`, await eventVariables());
  const began = performance.now();
  const asked = await call('POST', `${at}/deploy`);
  const ended = await deployed(`${at}/deployments/${asked.deployment_uuid}`);
  told(name, began, ended, application.domain);
  if (folder === 'node') await showMore(at, repository, application.domain);
}
console.log(`\nTheir API key, for ${config.publicUrl}/docs: ${key}`);

function told(
  name: string,
  began: number,
  { status, reason }: { status: string; reason: string | null },
  address: string,
): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${name.padEnd(18)} ${status} in ${seconds} s  ${address}`);
  if (status !== 'live') console.log(reason);
}

/** A worker beside the site, and a branch with a site of its own. */
async function showMore(at: string, repository: string, address: string): Promise<void> {
  await visit('POST', `${address}/likes`, 'עוגת החתונה');
  const folder = repository.slice('file://'.length);
  git(folder, 'checkout', '--quiet', '-b', 'evening');
  const menu = join(folder, 'menu.md');
  await writeFile(menu, (await readFile(menu, 'utf8')).replace('# התפריט', '# תפריט הערב'));
  git(folder, 'commit', '--quiet', '--all', '--message', 'A menu for the evening');
  const began = performance.now();
  const preview = await call('POST', `${at}/previews`, { branch: 'evening' });
  const [asked] = (await call('GET', `${at}/deployments?preview=${preview.name}`)).deployments;
  const ended = await deployed(`${at}/deployments/${asked.deployment_uuid}`);
  told('… a preview of it', began, ended, preview.domain);
  const likes = await visit('GET', `${address}/likes`);
  console.log(`${'… its worker'.padEnd(18)} has counted what guests like: ${likes}`);
}

/** By the server's own address: not every resolver knows names below localhost. */
function visit(method: string, address: string, body?: string): Promise<string> {
  const { host, pathname } = new URL(address);
  return new Promise((resolve, reject) => {
    request(new URL(pathname, config.publicUrl), { method, headers: { host } }, (response) =>
      readText(response).then(resolve, reject),
    )
      .on('error', reject)
      .end(body);
  });
}

async function isUp(): Promise<boolean> {
  return fetch(`${config.publicUrl}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function startServer(): Promise<void> {
  const protocols = [...new Set([...config.appsGitProtocols, 'file'])].join();
  const server = spawn(process.execPath, [MAIN], {
    env: { ...process.env, APPS_GIT_PROTOCOLS: protocols, LOG_LEVEL: 'warn' },
    stdio: 'inherit',
  });
  process.on('SIGTERM', () => server.kill('SIGTERM'));
  server.on('exit', (code) => process.exit(code ?? 1));
  while (!(await isUp())) await sleep(100);
  console.log(`no server was running: started one at ${config.publicUrl}; Ctrl-C ends it`);
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function call(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(API + path, {
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
  console.error(`${method} ${path}: ${answer.error}${hint}`);
  process.exit(1);
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function deployed(path: string): Promise<any> {
  for (;;) {
    const deployment = await call('GET', path);
    if (deployment.ended_at) return deployment;
    await sleep(100);
  }
}

/** From the outbox; where mail is really sent, from whoever reads it. */
async function mailedCode(): Promise<string> {
  if (config.smtpUrl) {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    return terminal.question(`the code mailed to ${EMAIL}: `);
  }
  const outbox = join(config.dataDir, 'outbox');
  const word = setTimeout(
    () => console.log(`waiting for the code mailed to ${EMAIL}, in ${outbox}`),
    WORD_MS,
  );
  for (const deadline = Date.now() + CODE_MS; Date.now() < deadline; await sleep(50)) {
    for (const name of (await readdir(outbox).catch(() => [])).filter((one) => one.endsWith('.eml'))) {
      const mail = await readFile(join(outbox, name), 'utf8');
      const code = mail.includes(EMAIL) && /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(mail)?.[0];
      if (!code) continue;
      clearTimeout(word);
      return code;
    }
  }
  throw new ConfigError(
    `There is no code in ${outbox}: is this the DATA_DIR of the server at ${config.publicUrl}? Of several servers any may have taken up the mail.`,
  );
}

async function repositoryOf(example: string): Promise<string> {
  const folder = join(config.dataDir, 'demo', example);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(join(EXAMPLES, example), folder, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  });
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'The first version');
  return `file://${folder}`;
}

function git(folder: string, ...args: string[]): void {
  const author = ['-c', 'user.name=Simcha', '-c', 'user.email=demo@example.com'];
  execFileSync('git', ['-C', folder, ...author, ...args]);
}

/** An event of a demo organizer for the invitation to show: its site can't ask this machine for it. */
async function eventVariables(): Promise<Record<string, string>> {
  const secret = config.jwtSecret ?? (await keptSecret(config.dataDir, 'jwt-secret'));
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
