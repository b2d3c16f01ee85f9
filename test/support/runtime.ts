import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { planOf } from '../../server/hosting/builds/plan.ts';
import { readSource } from '../../server/hosting/builds/source.ts';
import { openWardens, type Wardens } from '../../server/hosting/runtimes/limits.ts';
import { createProcessRuntime, type ProcessSettings } from '../../server/hosting/runtimes/process.ts';
import type { Instance, Runtime, Variables } from '../../server/hosting/runtimes/runtime.ts';
import { newId } from '../../server/kernel/identifiers.ts';

export const SETTINGS = {
  appsAllowNetworks: [] as string[],
  appsUid: 58_000,
  host: '127.0.0.1',
  appsBuildSeconds: 60,
  appsBuildMemoryMb: 1024,
  appsMemoryMb: 256,
  appsDiskMb: 64,
} as const;

export const FACTS = {
  address: 'http://demo.localhost:3000',
  commit: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  deploymentId: '01a1fd30-b079-785a-96d8-54aa08034fd0',
};

export const LOG = pino({ level: 'silent' });

/** A runtime of child processes in a data folder of its own. */
export async function openRuntime(
  settings: Partial<ProcessSettings> = {},
  wardensOf: (owner: string) => Wardens = openWardens,
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'simcha-runtime-'));
  const wardens = wardensOf(dataDir);
  const runtime = await createProcessRuntime(
    { dataDir, appsIsolation: 'sandbox', ...SETTINGS, ...settings },
    LOG,
    wardens,
  );
  await runtime.recover();
  return {
    dataDir,
    runtime,
    wardens,
    [Symbol.asyncDispose]: async () => {
      await runtime.close();
      wardens.groups?.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface Site {
  files: Record<string, string>;
  variables?: Variables;
  settings?: { build?: string; start?: string };
  signal?: AbortSignal;
  prepare?: (folder: string) => Promise<void>;
}

export async function build(
  runtime: Runtime,
  site: Site,
  name = { applicationId: newId(), releaseId: newId() },
) {
  const folder = await runtime.workspace(name);
  for (const [path, text] of Object.entries(site.files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await site.prepare?.(folder);
  const lines: string[] = [];
  const order = {
    ...name,
    facts: FACTS,
    plan: planOf(await readSource(folder), site.settings ?? {}),
    root: '',
    variables: site.variables ?? {},
    journal: {
      write: (line: string) => lines.push(line),
      output: (some: readonly string[]) => lines.push(...some),
      step: <T>(_: string, work: () => Promise<T>) => work(),
    },
    signal: site.signal ?? new AbortController().signal,
  };
  const artifact = await runtime.build(order);
  return { name, artifact, lines };
}

export async function start(runtime: Runtime, site: Site): Promise<{ instance: Instance; lines: string[] }> {
  const { name, artifact } = await build(runtime, site);
  const lines: string[] = [];
  const output = (some: readonly string[]) => lines.push(...some);
  const instance = await runtime.start({
    ...name,
    facts: FACTS,
    artifact,
    variables: site.variables ?? {},
    output,
  });
  return { instance, lines };
}

export async function answer({ target }: Instance): Promise<string> {
  assert.ok(target.kind === 'server');
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(20)) {
    const text = await fetch(target.origin).then(
      (response) => response.text(),
      () => undefined,
    );
    if (text !== undefined) return text;
  }
  throw new Error('no answer');
}

export const server = (expression: string) =>
  `require('http').createServer(async (request, response) => response.end(String(await (${expression}))))
    .listen(process.env.PORT, process.env.HOST)`;
export const serverSite = (expression: string, variables: Variables = {}): Site => ({
  files: { 'server.js': server(expression), 'package.json': '{"scripts":{"start":"node server.js"}}' },
  variables,
});
