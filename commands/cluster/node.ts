import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Call, connect } from '../../server/hosting/engine/connection.ts';
import { joinTo } from './engine-network.ts';
import { answersAt, dockerdOf, NSENTER, startMachine, startProgram } from './machine.ts';
import type { Sweeper } from './sweeper.ts';
import { until } from './until.ts';

const NEVER = new AbortController().signal;
/** Where the node itself finds it, and every program that looks for it at the usual place. */
const SOCKET = '/run/docker.sock';

export type JoiningNode = Awaited<ReturnType<typeof startNode>>;

export interface NodeOrder {
  name: string;
  folder: string;
  /** The registry's address, which it asks over plain HTTP. */
  registry: string;
  /** Of its containers. */
  controlGroup: string;
}

/** A machine with dockerd. */
export async function startNode(
  { name, folder, registry, controlGroup }: NodeOrder,
  sweeper: Sweeper,
  owned: AsyncDisposableStack,
) {
  const run = join(folder, 'run');
  const log = join(folder, 'log');
  const socket = join(run, 'docker.sock');
  const bootMachine = async () => {
    // Empty as after a power cut, or what is left of containers stands in the way.
    await rm(run, { recursive: true, force: true });
    await mkdir(run, { recursive: true });
    return startMachine({ name, run });
  };
  let machine = await bootMachine();
  owned.defer(() => machine.kill());
  const wire = joinTo(machine.pid, sweeper);
  const startEngine = () =>
    startProgram(
      [
        NSENTER,
        ...machine.within(...dockerdOf(SOCKET, join(folder, 'data'), wire.slice)),
        '--insecure-registry',
        registry,
        '--cgroup-parent',
        controlGroup,
      ],
      // A containerd that is slow writes there where it is.
      { log, isReady: () => answersAt(socket), env: { ...process.env, TMPDIR: '/run' } },
    );
  await startEngine();
  const ask = async <T>(call: Omit<Call, 'signal'>): Promise<T> => {
    const connection = await connect(socket, NEVER);
    try {
      return await connection.ask<T>({ ...call, signal: NEVER });
    } finally {
      connection.close();
    }
  };
  const swarm = async () => (await ask<{ Swarm: SwarmInfo }>({ path: ['info'] })).Swarm;
  const isManager = async () => (await swarm()).ControlAvailable;
  return {
    name,
    socket,
    address: wire.slice.there,
    /** Those of its networks that are reached from here, where it lets anybody in. */
    subnets: wire.slice.subnets,
    /** The engine's answer; throws as a Connection's does. */
    ask,
    /** In the swarm; empty before it is of one. */
    id: async () => (await swarm()).NodeID,
    /** What nsenter is told, to run a command there; to whom it is `/run/docker.sock`. */
    within: (...command: string[]) => machine.within(...command),
    /** The root of its files, as whoever is to be run there by chroot takes it. */
    root: () => `/proc/${machine.pid}/root`,
    isManager,
    /** Takes the power away: nobody hears of it. */
    async kill() {
      wire.unplugFrom(machine.pid);
      await machine.kill();
    },
    /** Once more after `kill`, with the data that it had. */
    async start() {
      machine = await bootMachine();
      wire.plugInto(machine.pid);
      await startEngine();
      await until(isManager);
    },
    /** Takes the wire away. */
    cutOff: () => wire.cut(),
    rejoin: () => wire.mend(),
  };
}

interface SwarmInfo {
  NodeID: string;
  ControlAvailable: boolean;
}
