import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { Builder } from '../../server/hosting/builds/builder.ts';
import { Instances } from '../../server/hosting/controller/supervision/instances.ts';
import type { RunningInstance } from '../../server/hosting/controller/supervision/running-instance.ts';
import { planOf } from '../../server/hosting/detection/planner.ts';
import { readSource } from '../../server/hosting/detection/source.ts';
import type { Artifact } from '../../server/hosting/model/artifact.ts';
import type { RunPlan } from '../../server/hosting/model/plan.ts';
import { type BuildName, siteFolders } from '../../server/hosting/model/site-folders.ts';
import type { Variables } from '../../server/hosting/model/variables.ts';
import { type OpenRuntime, openProcesses, type RuntimeParts } from '../../server/hosting/open-runtime.ts';
import type { Instance } from '../../server/hosting/runtimes/runtime.ts';
import type { IsolationSettings } from '../../server/hosting/sandbox/confined.ts';
import { openWardens, type Wardens } from '../../server/hosting/sandbox/limits.ts';
import { openSandbox } from '../../server/hosting/sandbox/sandbox.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { newId } from '../../server/kernel/identifiers.ts';
import { ISOLATION } from './sandbox.ts';

export const SETTINGS = {
  ...ISOLATION,
  appsBuildSeconds: 60,
  appsBuildMemoryMb: 1024,
  appsMemoryMb: 256,
  appsDiskMb: 64,
  ...readEngineSettings(),
} as const;

function readEngineSettings() {
  const { appsRuntime, appsEngine, appsImages, appsDockerfiles, appsSubnets, appsRegistry } = readConfig({
    APPS_DOCKERFILES: 'on',
  });
  return { appsRuntime, appsEngine, appsImages, appsDockerfiles, appsSubnets, appsRegistry };
}

export const FACTS = {
  address: 'http://demo.localhost:3000',
  commit: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  deploymentId: '01a1fd30-b079-785a-96d8-54aa08034fd0',
  preview: null,
};

export const LOG = pino({ level: 'silent' });

export type RuntimeSettings = IsolationSettings & RuntimeParts['settings'];

/** Opens a sandbox and a runtime in the same way as the server. */
export async function openRuntimeParts(
  settings: RuntimeSettings,
  wardens: Wardens,
  open: OpenRuntime = openProcesses,
  platform = newId(),
) {
  const folders = siteFolders(settings.dataDir);
  const sandbox = await openSandbox(settings, folders.base, wardens);
  const parts = { settings, platform: () => platform, sandbox, folders, wardens, log: LOG };
  return { sandbox, ...(await open(parts)) };
}

/**
 * Opens a runtime and its builder in a data folder of their own. The runtime is child processes, unless `open` opens
 * another.
 */
export async function openRuntime(
  settings: Partial<RuntimeSettings & { appsMemoryMb: number }> = {},
  wardensOf: (owner: string) => Wardens = openWardens,
  open: OpenRuntime = openProcesses,
  platform?: string,
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'simcha-runtime-'));
  const wardens = wardensOf(dataDir);
  const given = { dataDir, ...SETTINGS, ...settings };
  const { runtime, builder, contents, sandbox } = await openRuntimeParts(given, wardens, open, platform);
  await runtime.recover();
  const { appsMemoryMb: memoryMb, appsDiskMb: diskMb } = given;
  const instances = new Instances({
    isLeaseHeld: async () => true,
    effect: (work) => work(),
    bringVolumes: async () => {},
    runtime,
    limits: { memoryMb, processes: 500, diskMb },
    write: () => {},
    log: LOG,
  });
  instances.open();
  return {
    dataDir,
    runtime,
    builder,
    contents,
    instances,
    sandbox,
    wardens,
    [Symbol.asyncDispose]: async () => {
      instances.close();
      await sandbox.close();
      await Promise.all([builder.close(), contents.close(), runtime.close()]);
      wardens.groups?.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface Site {
  files: Record<string, string>;
  variables?: Variables;
  settings?: { install?: string; build?: string; start?: string };
  /** Folder of the site below the repository's root. */
  root?: string;
  signal?: AbortSignal;
  prepare?: (folder: string) => Promise<void>;
}

/**
 * Builder of sites with some of its functions replaced. It is wrapped in a Proxy, because the spread operator does not
 * copy the methods of a class.
 */
export function withChanges(builder: Builder, changes: Partial<Builder>): Builder {
  return new Proxy(builder, {
    get(target, name) {
      if (Object.hasOwn(changes, name)) return Reflect.get(changes, name);
      const member = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

export async function buildSite(
  { builder }: { builder: Builder },
  site: Site,
  name = { applicationId: newId(), buildId: newId() },
) {
  const signal = site.signal ?? new AbortController().signal;
  const folder = await builder.workspace(name, signal);
  for (const [path, text] of Object.entries(site.files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await site.prepare?.(folder);
  const { root = '' } = site;
  const plan = planOf(await readSource(join(folder, root)), site.settings ?? {}, builder);
  const lines: string[] = [];
  /**
   * Lines about peak memory in the build log, kept apart from its other lines, because their numbers differ in each
   * run.
   */
  const memory: string[] = [];
  const order = {
    ...name,
    facts: FACTS,
    plan: plan.build,
    root,
    variables: site.variables ?? {},
    buildLog: {
      hide: (line: string) => line,
      write: (line: string) => (line.startsWith('Peak memory: ') ? memory : lines).push(line),
      output: (some: readonly string[]) => lines.push(...some),
      step: <T>(_: string, work: () => Promise<T>) => work(),
    },
    signal,
    effect: <T>(work: () => Promise<T>) => work(),
  };
  const artifact = await builder.build(order);
  return { name, artifact, plan: plan.run, lines, memory };
}

/** Started test site, with the lines that it writes and a way to stop it. */
export interface Running {
  instance: RunningInstance & { stop(graceMs: number): Promise<void> };
  lines: string[];
}

export async function buildAndStart(
  at: { builder: Builder; instances: Instances },
  site: Site,
): Promise<Running> {
  return startBuilt(at, await buildSite(at, site), site.variables);
}

export async function startBuilt(
  { instances }: { instances: Instances },
  { name, artifact, plan }: { name: BuildName; artifact: Artifact; plan: RunPlan },
  variables: Variables = {},
): Promise<Running> {
  const lines: string[] = [];
  const launch = {
    ...name,
    ...FACTS,
    ownerId: newId(),
    releaseId: newId(),
    source: 'commit' as const,
    // The application has a single environment, so the environment's id can be that of the application.
    environmentId: name.applicationId,
    artifact,
    plan,
    process: 'web',
    number: 1,
    replicas: 1,
    isOneOfSeveral: false,
    variables: Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, { value, scope: 'all' as const }]),
    ),
    healthPath: '/',
    volumes: [],
    sticky: false,
  };
  const live = await instances.start(newId(), launch, {
    add: (some) => void lines.push(...some),
    params: () => ({}),
  });
  return { instance: { ...live, stop: (graceMs) => instances.stop(live.id, graceMs) }, lines };
}

/** Addresses at which the replicas of an instance accept requests. */
export function originsOf({ replicas }: Pick<Instance, 'replicas'>): string[] {
  return replicas.flatMap(({ origin }) => origin ?? []);
}

export async function answerOf({ targets: [target] }: Pick<RunningInstance, 'targets'>): Promise<string> {
  assert.ok(target?.kind === 'server');
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(20)) {
    const text = await fetch(target.origin).then(
      (response) => response.text(),
      () => undefined,
    );
    if (text !== undefined) return text;
  }
  throw new Error('no answer');
}

export const serverCode = (expression: string) =>
  `require('http').createServer(async (request, response) => response.end(String(await (${expression}))))
    .listen(process.env.PORT, process.env.HOST)`;
export const serverSite = (expression: string, variables: Variables = {}): Site => ({
  files: { 'server.js': serverCode(expression), 'package.json': '{"scripts":{"start":"node server.js"}}' },
  variables,
});
