import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connectToEngine, type EngineCall } from '../../server/hosting/engine/connection.ts';
import { connectNetwork } from './engine-network.ts';
import { answersAt, dockerdOf, NSENTER, startMachine, startProgram } from './machine.ts';
import type { Sweeper } from './sweeper.ts';
import { until } from './until.ts';

const NEVER = new AbortController().signal;
/** Path of the Docker socket inside the node: Docker's default path. */
const SOCKET = '/run/docker.sock';

export type JoiningNode = Awaited<ReturnType<typeof startNode>>;

export interface NodeOrder {
  name: string;
  folder: string;
  /** Address of the registry, which the engine contacts over plain HTTP. */
  registry: string;
  /** Control group of the node's containers. */
  controlGroup: string;
}

/** Starts a node of the cluster: a simulated machine that runs dockerd. */
export async function startNode(
  { name, folder, registry, controlGroup }: NodeOrder,
  sweeper: Sweeper,
  owned: AsyncDisposableStack,
) {
  const run = join(folder, 'run');
  const log = join(folder, 'log');
  const socket = join(run, 'docker.sock');
  const bootMachine = async () => {
    // The folder /run is emptied, as by a power cut: what is left of containers would prevent the start.
    await rm(run, { recursive: true, force: true });
    await mkdir(run, { recursive: true });
    return startMachine({ name, run });
  };
  let machine = await bootMachine();
  owned.defer(() => machine.kill());
  const wire = connectNetwork(machine.pid, sweeper);
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
      // Temporary files of containerd go to /run: on a slow disk containerd would be slow too.
      { log, isReady: () => answersAt(socket), env: { ...process.env, TMPDIR: '/run' } },
    );
  await startEngine();
  const ask = async <T>(call: Omit<EngineCall, 'signal'>): Promise<T> => {
    const connection = await connectToEngine(socket, NEVER);
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
    /**
     * Address ranges of the node's networks that this machine can reach, if the engine accepts connections from
     * outside.
     */
    subnets: wire.slice.subnets,
    /** Sends a request to the node's engine; throws an EngineError or an EngineAway if that fails. */
    ask,
    /** Id of the node in the swarm; empty before the node joins. */
    id: async () => (await swarm()).NodeID,
    /** nsenter's arguments that run a command in the node; there the socket is `/run/docker.sock`. */
    within: (...command: string[]) => machine.within(...command),
    /** Root of the node's files as a path of this machine, for chroot. */
    root: () => `/proc/${machine.pid}/root`,
    isManager,
    /** Simulates a power cut: the node ends without any notice to the others. */
    async kill() {
      wire.unplugFrom(machine.pid);
      await machine.kill();
    },
    /** Starts the node again after `kill`, with the data that it had. */
    async start() {
      machine = await bootMachine();
      wire.plugInto(machine.pid);
      await startEngine();
      await until(isManager);
    },
    /** Cuts the node's network cable. */
    cutOff: () => wire.cut(),
    rejoin: () => wire.mend(),
  };
}

interface SwarmInfo {
  NodeID: string;
  ControlAvailable: boolean;
}
