import type { Engine } from '../../server/hosting/engine/engine.ts';
import { openContainers } from '../../server/hosting/open-runtime.ts';
import type { StartOrder, TaskOrder } from '../../server/hosting/runtimes/runtime.ts';
import { newId } from '../../server/kernel/identifiers.ts';
import { engineOfFile, haveNodeImage, NODE, type TestEngine } from './engine.ts';
import { buildSite, openRuntime, type RuntimeSettings, SETTINGS, type Site } from './runtime.ts';

const NEVER = new AbortController().signal;
export type OpenedRuntime = Awaited<ReturnType<typeof openTestRuntime>>;

/** Opens a container runtime. A second server with the same `platform` id would find its containers. */
export const openTestRuntime = (
  { socket, subnets }: TestEngine,
  changed: Partial<RuntimeSettings> = {},
  platform = newId(),
) => {
  const appsImages = { ...SETTINGS.appsImages, node: NODE };
  const settings = { appsEngine: socket, appsSubnets: subnets, appsImages, ...changed };
  return openRuntime(settings, undefined, openContainers, platform);
};

/** Container engine that the tests of one file share. */
export function containersOfFile() {
  const { withEngine: withAny } = engineOfFile(haveNodeImage);
  return {
    withAny,
    /**
     * Test with a runtime that has a platform id of its own. After the test all that the runtime still has on the
     * engine is removed.
     */
    withEngine: (
      name: string,
      work: (at: OpenedRuntime, engine: Engine, daemon: TestEngine) => Promise<void>,
    ) =>
      withAny(name, async (engine, daemon) => {
        await using at = await openTestRuntime(daemon);
        await work(at, engine, daemon);
        for (const { instance } of await at.runtime.list()) await at.runtime.stop(instance, 0);
        for (const key of await at.runtime.retainedEnvironments()) await at.runtime.forget(key, NEVER);
      }),
  };
}

/** Builds a site and returns the order (what to start and how) with which a runtime starts it. */
export async function buildStartOrder(at: Pick<OpenedRuntime, 'builder'>, site: Site): Promise<StartOrder> {
  const { name, artifact, plan } = await buildSite(at, site);
  return {
    instance: newId(),
    labels: {
      ...name,
      environmentId: name.applicationId,
      deploymentId: newId(),
      releaseId: newId(),
      process: 'web',
      number: 1,
    },
    artifact,
    command: plan.processes.web ?? '',
    variables: site.variables ?? {},
    limits: { memoryMb: 128, processes: 100, diskMb: 64 },
    mounts: [{ volume: 'home', at: 'home' }],
    replicas: 1,
    listens: true,
  };
}

/**
 * Runs a command of a release once; returns its output and result. The command gets the variables, limits and mounts of
 * the site's start order, with the parts in `changed` replaced.
 */
export async function runCommand(
  { runtime }: Pick<OpenedRuntime, 'runtime'>,
  order: StartOrder,
  command: string,
  changed: Partial<TaskOrder> = {},
) {
  const { replicas: _replicas, listens: _listens, ...rest } = order;
  const lines: string[] = [];
  const output = (some: readonly string[]) => lines.push(...some);
  const task = { ...rest, seconds: 30, ...changed, instance: newId(), command };
  return { lines, ...(await runtime.run(task, { output, signal: NEVER })) };
}

/** Program of a test site that connects to an address and prints whether it succeeded. */
export const CONNECT_PROGRAM = `const [host, port] = process.argv.slice(1);
const socket = require("net").connect({ host, port, timeout: 3000 });
socket.on("connect", () => { console.log("reached"); process.exit(); });
socket.on("timeout", () => { console.log("ETIMEDOUT"); process.exit(); });
socket.on("error", ({ code }) => { console.log(code); process.exit(); });`;
