import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { joinTo, networksOf, type Slice } from '../../commands/cluster/engine-network.ts';
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
import { EngineError } from '../../server/hosting/engine/connection.ts';
import { type Engine, type Labels, openEngine } from '../../server/hosting/engine/engine.ts';
import { removeKept } from '../../server/hosting/engine/site-containers.ts';
import { shared } from './shared.ts';

const MOST_STARTS = 5;
const NEVER = new AbortController().signal;
/** An image for sites of Node.js. */
export const NODE = 'simcha-test/node';

const PROGRAMS = { docker: DOCKERD, podman: '/usr/bin/podman' } as const;
/** Which engine tests take. */
export const ENGINE_KIND: keyof typeof PROGRAMS =
  process.env.SIMCHA_TEST_ENGINE_KIND === 'podman' ? 'podman' : 'docker';

/** With SIMCHA_TEST_ENGINE_USERS=remapped its containers have users of their own; dockerd makes `dockremap` for them. */
const USERS = process.env.SIMCHA_TEST_ENGINE_USERS === 'remapped' ? ['--userns-remap', 'default'] : [];

/** Podman's conmon notes what was ended for its memory where this Podman does not look. */
export const NO_OOM = ENGINE_KIND === 'podman';

/** Why none can be started here; undefined where one can. */
export function whyNoEngine(kind: keyof typeof PROGRAMS = ENGINE_KIND): string | undefined {
  const program = PROGRAMS[kind];
  if (process.getuid?.() !== 0) return `${basename(program)} can be started by root alone`;
  return existsSync(program) ? undefined : `there is no ${basename(program)}`;
}

export type TestEngine = Awaited<ReturnType<typeof startEngine>>;

/**
 * Debian's dockerd, or Podman's service, with a socket, data and a network of its own, as nobody else's on this machine: its rules
 * are no rules of the machine's, whose containers can be reached from here all the same.
 */
export async function startEngine(kind = ENGINE_KIND) {
  const lacks = whyNoEngine(kind);
  if (lacks) throw new Error(lacks);
  // It keeps the network while the engine is away, and ends with us, however we do.
  const machine = await startMachine();
  const sweeper = startSweeper();
  // Not in the tests' own folder: a socket's path has 108 bytes, and images fill a memory.
  const folder = await mkdtemp('/tmp/simcha-engine-');
  // Users of containers have a way to what is theirs in there.
  await chmod(folder, 0o711);
  const socket = join(folder, 'docker.sock');
  const log = join(folder, 'log');
  let command: string[] = [];
  const settings = join(folder, 'containers.conf');
  const environment = { ...process.env, CONTAINERS_CONF: settings, TMPDIR: folder };
  let daemon: Program | undefined;

  /** What a program says that is run in its network. */
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
    // Docker keeps whoever comes from outside from its containers.
    if (kind === 'docker') inside('iptables', '--wait', '-I', 'DOCKER-USER', '-i', 'eth0', '-j', 'ACCEPT');
  };
  /** As systemd does: what a killed one left takes containerd longer than dockerd waits for it. */
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
    // Its other half would stand in the way of the next one.
    const other = await readFile(join(folder, 'run/containerd/containerd.pid'), 'utf8');
    process.kill(Number(other), 'SIGKILL');
  };
  const dispose = async () => {
    // Podman's containers need no Podman to go on.
    if (kind === 'podman' && daemon) runPodman('rm', '--all', '--force', '--time=0');
    await stop();
    await machine.kill();
    await sweeper[Symbol.asyncDispose]();
    // It mounts its data over themselves and keeps networks by mounts, and leaves them so.
    const mounts = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[1] ?? '');
    const own = mounts.filter((at) => at.startsWith(`${folder}/`)).reverse();
    for (const at of own) spawnSync('umount', ['--lazy', at], { stdio: 'ignore' });
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { slice } = joinTo(machine.pid, sweeper);
    const { subnets, here, there } = slice;
    command =
      kind === 'podman'
        ? [...podmanIn(folder), 'system', 'service', '--time=0', `unix://${socket}`]
        : [
            ...dockerdOf(socket, join(folder, 'data'), slice),
            ...USERS,
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
 * What Podman runs containers by: runc, for crun refuses a machine whose control groups are of both versions, and with limits of
 * this machine's own, for root of a machine within another one may not raise them, which Podman does.
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

/** The engine of a process. */
export const shareEngine = shared(() => startEngine());

/** An engine for the tests of a file, and a test that takes one: where there is none, it says why it is passed over. */
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
        await endFences(engine);
      }),
  };
}

/**
 * What closes networks is there for as long as an engine, and looks again every few seconds: those of a hundred servers that are
 * no more would take a processor of its own. `labels`: of whom; everybody's without.
 */
async function endFences(engine: Engine, labels: Labels = {}): Promise<void> {
  const fences = await engine.containers({ ...labels, 'simcha.kind': 'fence' }, NEVER);
  for (const { Id } of fences) await engine.remove(Id, NEVER).catch(unlessBusy);
}

/** What outlives a server of these tests would run to the engine’s end. */
export async function clearEngine(socket: string, applications: readonly string[]): Promise<void> {
  const engine = await openEngine(socket, NEVER);
  try {
    const platforms = await platformsOf(engine, applications);
    for (const id of applications) {
      const labels = { 'simcha.application': id };
      for (const { Id } of await engine.containers(labels, NEVER))
        await engine.remove(Id, NEVER).catch(unlessBusy);
      await removeKept(engine, labels, NEVER).catch(unlessBusy);
      for (const name of await imagesOf(engine, id)) await engine.removeImage(name, NEVER).catch(unlessBusy);
    }
    for (const platform of platforms) await endFences(engine, { 'simcha.platform': platform });
  } finally {
    engine.close();
  }
}

/** Whose the networks of applications are. */
export async function platformsOf(engine: Engine, applications: readonly string[]): Promise<Set<string>> {
  const platforms = new Set<string>();
  for (const id of applications)
    for (const { Labels } of await engine.networks({ 'simcha.application': id }, NEVER))
      platforms.add(Labels['simcha.platform'] ?? '');
  return platforms;
}

/** Names of an application's images. */
export async function imagesOf(engine: Engine, applicationId: string): Promise<string[]> {
  const names = (await engine.images({}, NEVER)).flatMap(({ RepoTags }) => RepoTags ?? []);
  return names.filter((name) => name.includes(`/${applicationId}:`));
}

/** What is being removed already, or what others were made of. */
function unlessBusy(error: unknown): void {
  if (!(error instanceof EngineError) || error.status !== 409) throw error;
}

/** The environments of an application that have a volume, or a network. */
export async function environmentsOn(socket: string, application: string): Promise<string[]> {
  const engine = await openEngine(socket, NEVER);
  const labels = { 'simcha.application': application };
  const kept = [...(await engine.volumes(labels, NEVER)), ...(await engine.networks(labels, NEVER))];
  engine.close();
  return [...new Set(kept.flatMap(({ Labels }) => Labels['simcha.environment'] ?? []))];
}

/** Has the engine hold `NODE`, which takes seconds to make. */
export async function haveNodeImage(engine: Engine): Promise<void> {
  if ((await engine.image(NODE, NEVER)) === undefined) await makeNodeImage(engine, NODE);
}

/** The settings of a server whose sites are containers of an engine, which has images for sites of Node.js and Python. */
export async function settingsFor({ socket, subnets }: TestEngine): Promise<Record<string, string>> {
  const engine = await openEngine(socket, NEVER);
  const images = { APPS_IMAGE_NODE: NODE, APPS_IMAGE_PYTHON: 'simcha-test/python' };
  await haveNodeImage(engine);
  await makePythonImage(engine, images.APPS_IMAGE_PYTHON, NODE);
  engine.close();
  return { APPS_RUNTIME: 'docker', APPS_ENGINE: socket, APPS_SUBNETS: subnets, ...images };
}

/** The same with this machine’s Python beside it. */
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
