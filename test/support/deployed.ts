import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Client, createClient } from './client.ts';
import { until } from './until.ts';

export interface SiteAnswer {
  status: number;
  text: string;
}

export interface SiteRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Requests a page of a site from the server at `base` by the site's host name. Rejects if the connection breaks. */
export function visitSite(
  base: string,
  host: string,
  path = '/',
  { method = 'GET', headers = {}, body }: SiteRequest = {},
): Promise<SiteAnswer> {
  return new Promise((resolve, reject) => {
    const options = { method, headers: { host, ...headers }, agent: false };
    const asked = request(new URL(path, base), options, async (response) => {
      try {
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
        resolve({ status: response.statusCode ?? 0, text });
      } catch (error) {
        reject(error);
      }
    });
    asked.on('error', reject).end(body);
  });
}

/** Reads the code in the newest mail to an address from the server's outbox. */
export async function codeInOutbox(dataDir: string, address: string): Promise<string> {
  let code: string | undefined;
  await until(async () => {
    const names = await readdir(join(dataDir, 'outbox')).catch(() => []);
    // Mails that the server is still writing have names that begin with a dot.
    for (const name of names.filter((one) => /^[^.].*\.eml$/.test(one)).sort()) {
      const mail = await readFile(join(dataDir, 'outbox', name), 'utf8');
      if (mail.includes(address)) code = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(mail)?.[0] ?? code;
    }
    return code !== undefined;
  });
  return code ?? '';
}

let addresses = 0;

/** Makes an email address that no server of this test file has seen before. */
export function newAddress(): string {
  addresses += 1;
  return `developer${addresses}@example.com`;
}

/** Registers and verifies a user; returns a client that sends the user's API key. */
export async function verifiedUser(base: string, dataDir: string, email = 'noa@example.com') {
  const registered = await createClient(base)('POST', '/api/v1/users/register', { body: { email } });
  assert.equal(registered.status, 201, registered.text);
  const key: string = registered.body.api_key;
  const call = createClient(base, { headers: { 'x-api-key': key } });
  const code = await codeInOutbox(dataDir, email);
  const verified = await call('POST', '/api/v1/users/verify', { body: { code, email } });
  assert.equal(verified.status, 200, verified.text);
  return { key, call };
}

export const FINAL = ['live', 'failed', 'superseded', 'cancelled'];

/** Client for one application: its API, its deployments and its site. */
export function applicationClient(call: Client, base: string, uuid: string, host: string) {
  const at = `/api/v1/applications/${uuid}`;
  const app = {
    uuid,
    host,
    at,
    call: (method: string, path = '', body?: unknown): Promise<Answer> =>
      call(method, `${at}${path}`, body === undefined ? {} : { body }),
    visit: (path = '/', sent?: SiteRequest) => visitSite(base, host, path, sent),
    /** Requests a deployment of the application and returns the deployment's id. */
    async ask(action = 'deploy', body?: unknown): Promise<string> {
      const answer = await app.call('POST', `/${action}`, body);
      assert.equal(answer.status, 202, answer.text);
      return answer.body.deployment_uuid;
    },
    async record(id: string) {
      return (await app.call('GET', `/deployments/${id}`)).body;
    },
    log: async (id: string) => (await app.call('GET', `/deployments/${id}/logs`)).text,
    /** Waits until the deployment has ended and returns its record. */
    async end(id: string, mostMs = 180_000) {
      let record = await app.record(id);
      const deadline = Date.now() + mostMs;
      while (!FINAL.includes(record.status) && Date.now() < deadline) {
        await sleep(75);
        record = await app.record(id);
      }
      return record;
    },
    /** Waits until the deployment has ended and asserts its status. */
    async expect(id: string, status: string, mostMs?: number) {
      const record = await app.end(id, mostMs);
      assert.equal(record.status, status, `${JSON.stringify(record)}\n${await app.log(id)}`);
      return record;
    },
    async deploy(status = 'live') {
      return app.expect(await app.ask(), status);
    },
  };
  return app;
}

export type ApplicationClient = ReturnType<typeof applicationClient>;

let made = 0;

export async function newApplication(
  call: Client,
  base: string,
  repository: string,
  settings: object = {},
): Promise<ApplicationClient> {
  made += 1;
  const subdomain = `site-${process.pid}-${made}`;
  const created = await call('POST', '/api/v1/applications', {
    body: { name: `Site ${made}`, repository, subdomain, ...settings },
  });
  assert.equal(created.status, 201, created.text);
  const host = new URL(created.body.domain).hostname;
  return applicationClient(call, base, created.body.application_uuid, host);
}

/** Test site that serves its version and a variable, with slow and large responses on demand. */
export const versionSite = (version: string): Record<string, string> => ({
  'package.json': '{"scripts":{"start":"node server.js"}}',
  'server.js': `
const { createServer } = require('node:http');
// Process ids tell nothing in a sandbox, where every site is process 2.
const who = crypto.randomUUID();
const server = createServer((request, response) => {
  if (request.url === '/die') process.exit(7);
  if (request.url === '/pid') return response.end(String(process.pid));
  if (request.url === '/who') return response.end(who);
  if (request.url === '/version') return response.end('${version}');
  if (request.url.startsWith('/slow')) {
    response.write('slow ');
    return setTimeout(() => response.end('${version}'), Number(request.url.split('=')[1]));
  }
  console.log('asked for', request.url);
  response.end('${version} ' + (process.env.TITLE ?? ''));
});
server.listen(process.env.PORT, process.env.HOST);
process.on('SIGTERM', () => server.close());
`,
});
