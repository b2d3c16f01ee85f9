import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { connectNetwork, networksOf, type Slice, WIRES } from '../../commands/cluster/engine-network.ts';
import {
  answersAt,
  DOCKERD,
  dockerdOf,
  NSENTER,
  type Program,
  startMachine,
  startProgram,
} from '../../commands/cluster/machine.ts';
import { imageFolder, makeNodeImage } from '../../commands/cluster/node-image.ts';
import { startSweeper } from '../../commands/cluster/sweeper.ts';
import { type Engine, openEngine } from '../../server/hosting/engine/engine.ts';
import { EngineError } from '../../server/hosting/engine/errors.ts';
import type { Labels } from '../../server/hosting/engine/labels.ts';
import { removeRetained } from '../../server/hosting/engine/site-containers.ts';
import { shareResource } from './shared-resource.ts';

const MOST_STARTS = 5;
const NEVER = new AbortController().signal;
/** Name of the base image for Node.js sites in tests. */
export const NODE = 'simcha-test/node';

const PROGRAMS = { docker: DOCKERD, podman: '/usr/bin/podman' } as const;
/** Kind of container engine that the tests use. */
export const ENGINE_KIND: keyof typeof PROGRAMS =
  process.env.SIMCHA_TEST_ENGINE_KIND === 'podman' ? 'podman' : 'docker';

/**
 * Arguments with which dockerd maps the users of containers to other users of the machine, if SIMCHA_TEST_ENGINE_USERS
 * is `remapped`. For this dockerd creates the user `dockremap`.
 */
const USERS = process.env.SIMCHA_TEST_ENGINE_USERS === 'remapped' ? ['--userns-remap', 'default'] : [];

/**
 * True if the engine can't report that a container ran out of memory: Podman's conmon records it in a place where this
 * Podman does not look.
 */
export const NO_OOM = ENGINE_KIND === 'podman';

/** Reason why no container engine can be started on this machine; undefined if one can be started. */
export function whyNoEngine(kind: keyof typeof PROGRAMS = ENGINE_KIND): string | undefined {
  const program = PROGRAMS[kind];
  if (process.getuid?.() !== 0) return `${basename(program)} can be started by root alone`;
  return existsSync(program) ? undefined : `there is no ${basename(program)}`;
}

export type TestEngine = Awaited<ReturnType<typeof startEngine>>;

/**
 * Starts Debian's dockerd, or Podman's service, with a socket, data and a network of its own. Its firewall rules are
 * separate from this machine's, and yet its containers can be reached from here.
 */
export async function startEngine(kind = ENGINE_KIND) {
  const lacks = whyNoEngine(kind);
  if (lacks) throw new Error(lacks);
  // The engine runs in a network namespace of its own (the machine). The namespace remains while the engine is stopped,
  // and ends when this test process ends, for whatever reason.
  const machine = await startMachine();
  const sweeper = startSweeper();
  // The engine's folder is not in the tests' own folder: a socket's path is limited to 108 bytes, and images would fill
  // the memory.
  const folder = await mkdtemp('/tmp/simcha-engine-');
  // Users in containers must be able to reach their files below the engine's folder.
  await chmod(folder, 0o711);
  const socket = join(folder, 'docker.sock');
  const log = join(folder, 'log');
  let command: string[] = [];
  const settings = join(folder, 'containers.conf');
  const environment = { ...process.env, CONTAINERS_CONF: settings, TMPDIR: folder };
  let daemon: Program | undefined;

  /** Runs a program in the network of the test's engine and returns its output. */
  const inside = (...words: string[]) =>
    execFileSync(NSENTER, machine.within(...words), { encoding: 'utf8' });
  const runPodman = (...words: string[]) =>
    spawnSync(NSENTER, machine.within(...podmanIn(folder), ...words), {
      stdio: 'ignore',
      env: environment,
      cwd: folder,
    });
  const startOnce = async () => {
    const words = [NSENTER, ...machine.within('/usr/bin/setpriv', '--pdeathsig', 'TERM', ...command)];
    const isReady = () => answersAt(socket);
    daemon = await startProgram(words, { log, isReady, env: environment, cwd: folder });
    // Docker blocks connections to its containers from outside, so the test adds a firewall rule that accepts them.
    if (kind === 'docker') inside('iptables', '--wait', '-I', 'DOCKER-USER', '-i', 'eth0', '-j', 'ACCEPT');
  };
  /**
   * Starts the engine, repeatedly as systemd does: after a kill, containerd needs longer to recover than dockerd waits.
   */
  const start = async () => {
    for (let turn = 1; ; turn += 1) {
      try {
        return await startOnce();
      } catch (error) {
        if (turn === MOST_STARTS) throw error;
      }
    }
  };
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    daemon?.child.kill(signal);
    await daemon?.ended;
    if (signal !== 'SIGKILL' || kind === 'podman') return;
    // A killed dockerd leaves its containerd running, which would block the next dockerd. So containerd is killed too.
    const other = await readFile(join(folder, 'run/containerd/containerd.pid'), 'utf8');
    process.kill(Number(other), 'SIGKILL');
  };
  const dispose = async () => {
    // Podman's containers continue to run after Podman has ended, so they are removed first.
    if (kind === 'podman' && daemon) runPodman('rm', '--all', '--force', '--time=0');
    await stop();
    await machine.kill();
    await sweeper[Symbol.asyncDispose]();
    // A stopped engine leaves bind mounts of its data and of networks behind, which are unmounted here.
    const mounts = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[1] ?? '');
    const own = mounts.filter((at) => at.startsWith(`${folder}/`)).reverse();
    for (const at of own) spawnSync('umount', ['--lazy', at], { stdio: 'ignore' });
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { slice } = connectNetwork(machine.pid, sweeper);
    const { subnets, here, there } = slice;
    command =
      kind === 'podman'
        ? [...podmanIn(folder), 'system', 'service', '--time=0', `unix://${socket}`]
        : [
            ...dockerdOf(socket, join(folder, 'data'), slice),
            ...USERS,
            '--insecure-registry',
            WIRES,
            '--exec-root',
            join(folder, 'run'),
            '--pidfile',
            join(folder, 'pid'),
          ];
    if (kind === 'podman') {
      await writeFile(settings, podmanSettings(folder, slice));
      await writeFile(join(folder, 'runc'), RUNC, { mode: 0o755 });
    }
    await startOnce();
    return { socket, subnets, here, there, inside, start, stop, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function podmanIn(folder: string): string[] {
  return [
    PROGRAMS.podman,
    '--root',
    join(folder, 'data'),
    '--runroot',
    join(folder, 'run'),
    '--tmpdir',
    join(folder, 'libpod'),
  ];
}

/**
 * Wrapper that starts containers with runc, since crun refuses machines with control groups of both versions. It also
 * lowers the containers' limits to this machine's: Podman tries to raise them, which root of a nested machine may not
 * do.
 */
const RUNC = `#!/bin/sh
lower() { sed -i -E 's/("(hard|soft)":)[0-9]{6,}/\\1'"$(ulimit -Hn)/g" "$1"; }
for word; do
  case \${before-} in
    --bundle) lower "$word/config.json" ;;
    --process) lower "$word" ;;
  esac
  before=$word
done
exec /usr/sbin/runc "$@"
`;

function podmanSettings(folder: string, slice: Slice): string {
  const { bridge, pool } = networksOf(slice);
  return `[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[engine.runtimes]
runc = ["${join(folder, 'runc')}"]
[network]
network_backend = "netavark"
network_config_dir = "${join(folder, 'networks')}"
default_subnet = "${bridge}/24"
default_subnet_pools = [{ base = "${pool}", size = 26 }]
`;
}

/** Container engine that all tests of a process share. */
export const shareEngine = shareResource(() => startEngine());

/** Container engine for the tests of a file. On a machine without an engine the tests are skipped with the reason. */
export function engineOfFile(prepare: (engine: Engine, daemon: TestEngine) => Promise<void>) {
  const share = shareEngine();
  let daemon: TestEngine | undefined;
  let engine: Engine | undefined;
  let lacks: string | undefined;
  before(async () => {
    try {
      daemon = await share.get();
    } catch (error) {
      lacks = `${basename(PROGRAMS[ENGINE_KIND])} does not start on this machine: ${(error as Error).message.trim().split('\n').at(-1)}`;
      return;
    }
    engine = await openEngine(daemon.socket, NEVER);
    await prepare(engine, daemon);
  });
  after(async () => {
    engine?.close();
    await share.leave();
  });
  return {
    withEngine: (name: string, work: (engine: Engine, daemon: TestEngine, t: TestContext) => Promise<void>) =>
      test(name, async (t) => {
        if (lacks !== undefined || !engine || !daemon) return t.skip(lacks ?? 'there is no engine');
        await work(engine, daemon, t);
        await endFirewalls(engine);
      }),
  };
}

/**
 * Removes network firewalls (helper containers), which run as long as an engine and check every few seconds: those of a
 * hundred former servers would occupy a processor. `labels` selects the owner; without it all firewalls are removed.
 */
async function endFirewalls(engine: Engine, labels: Labels = {}): Promise<void> {
  const firewalls = await engine.containers({ ...labels, 'simcha.kind': 'firewall' }, NEVER);
  for (const { Id } of firewalls) await engine.remove(Id, NEVER).catch(unlessBusy);
}

/** Removes containers, volumes and images of applications, and firewalls, which would otherwise stay on the engine. */
export async function clearEngine(socket: string, applications: readonly string[]): Promise<void> {
  const engine = await openEngine(socket, NEVER);
  try {
    const platforms = await platformsOf(engine, applications);
    for (const id of applications) {
      const labels = { 'simcha.application': id };
      for (const { Id } of await engine.containers(labels, NEVER))
        await engine.remove(Id, NEVER).catch(unlessBusy);
      await removeRetained(engine, labels, NEVER).catch(unlessBusy);
      for (const name of await imagesOf(engine, id)) await engine.removeImage(name, NEVER).catch(unlessBusy);
    }
    for (const platform of platforms) await endFirewalls(engine, { 'simcha.platform': platform });
  } finally {
    engine.close();
  }
}

/** Ids of the platforms (Simcha installations) that have networks for these applications on the engine. */
export async function platformsOf(engine: Engine, applications: readonly string[]): Promise<Set<string>> {
  const platforms = new Set<string>();
  for (const id of applications)
    for (const { Labels } of await engine.networks({ 'simcha.application': id }, NEVER))
      platforms.add(Labels['simcha.platform'] ?? '');
  return platforms;
}

/** Names of an application's images on the engine. */
export async function imagesOf(engine: Engine, applicationId: string): Promise<string[]> {
  const names = (await engine.images({}, NEVER)).flatMap(({ RepoTags }) => RepoTags ?? []);
  return names.filter((name) => name.includes(`/${applicationId}:`));
}

/** Ignores the engine's error 409 (conflict): the object to remove is already being removed, or others still use it. */
function unlessBusy(error: unknown): void {
  if (!(error instanceof EngineError) || error.status !== 409) throw error;
}

/** Ids of an application's environments that have a volume or a network on the engine. */
export async function environmentsOn(socket: string, application: string): Promise<string[]> {
  const engine = await openEngine(socket, NEVER);
  const labels = { 'simcha.application': application };
  const kept = [...(await engine.volumes(labels, NEVER)), ...(await engine.networks(labels, NEVER))];
  engine.close();
  return [...new Set(kept.flatMap(({ Labels }) => Labels['simcha.environment'] ?? []))];
}

/** Makes the Node.js base image for sites if the engine lacks it, which takes seconds. */
export async function haveNodeImage(engine: Engine): Promise<void> {
  if ((await engine.image(NODE, NEVER)) === undefined) await makeNodeImage(engine, NODE);
}

/** Settings of a server that runs its sites in an engine's containers, with images for Node.js and Python. */
export async function settingsFor({ socket, subnets }: TestEngine): Promise<Record<string, string>> {
  const engine = await openEngine(socket, NEVER);
  const images = { APPS_IMAGE_NODE: NODE, APPS_IMAGE_PYTHON: 'simcha-test/python' };
  await haveNodeImage(engine);
  await makePythonImage(engine, images.APPS_IMAGE_PYTHON, NODE);
  engine.close();
  const dockerfiles = { APPS_DOCKERFILES: 'on' };
  return { APPS_RUNTIME: 'docker', APPS_ENGINE: socket, APPS_SUBNETS: subnets, ...dockerfiles, ...images };
}

/** Makes an image from `base` and this machine's Python. */
export async function makePythonImage(engine: Engine, tag: string, base: string): Promise<void> {
  await using image = await imageFolder();
  const python = realpathSync('/usr/bin/python3');
  await image.put(python, '/usr/bin/python3');
  const modules = `/usr/lib/${basename(python)}`;
  await image.put(modules, modules);
  const parts = join(modules, 'lib-dynload');
  await image.putLibraries(python, ...readdirSync(parts).map((name) => join(parts, name)));
  await image.build(engine, tag, `FROM ${base}\nCOPY . /\n`);
}
