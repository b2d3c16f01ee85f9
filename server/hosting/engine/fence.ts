import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { waysOf } from '../sandbox/network.ts';
import { EngineError } from './connection.ts';
import type { ContainerOrder, Engine } from './engine.ts';
import { KIND, OURS, PLATFORM } from './site-containers.ts';

// Fence for a single machine. An engine lets its containers reach its machine and everything that the machine reaches.
// Closed networks are blocked by rules on that machine, which a container of ours sets for as long as the engine runs,
// and repairs if somebody else removes them.

export interface FenceParts {
  engine: Engine;
  platform: () => string;
  prefix: () => string;
  /** Any image with /bin/sh and chroot: all other programs are the machine's. */
  image: (signal: AbortSignal) => Promise<string>;
  /** Networks that are allowed although they are closed by default. */
  allowed: readonly string[];
}

const SCRIPT = new URL('fence.sh', import.meta.url);
export const CLOSED = 'closed';
const CLOSED_MS = 30_000;
const MEBIBYTE = 2 ** 20;
/** Label of a fence with the hash of its rules. */
export const RULES = 'simcha.rules';

/** Settings of a fence's container, regardless of how it is started. */
export const FENCE = {
  Env: ['PATH=/usr/sbin:/usr/bin:/sbin:/bin'],
  User: '0:0',
  rights: ['NET_ADMIN', 'NET_RAW', 'SYS_CHROOT'],
  memoryBytes: 64 * MEBIBYTE,
  processes: 50,
  mount: { Type: 'bind', Source: '/', Target: '/machine' },
} as const;

/**
 * Command line that closes devices whose names begin with `prefix`, except for allowed networks, and then prints
 * `closed`. `chain`: prefix of the chains' names, if not the same; `proof`: a folder of the machine that exists while
 * it is closed.
 */
export async function closingWords(
  prefix: string,
  allowed: readonly string[],
  engine: 'docker' | 'podman',
  { chain, proof }: { chain?: string; proof?: string } = {},
): Promise<string[]> {
  const networks = waysOf({ allowed, own: [], six: false })
    .sort((one, other) => other.bits - one.bits)
    .map(({ network, action }) => `${action} ${network}`)
    .join('\n');
  const script = await readFile(SCRIPT, 'utf8');
  const words = [prefix, networks, engine, chain ?? prefix, proof ?? ''];
  return ['chroot', FENCE.mount.Target, '/bin/sh', '-c', script, 'sh', ...words];
}

/** Hash of a fence's rules. */
export function rulesOf(words: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(words)).digest('hex');
}

/** Returns a function that resolves once the network is closed. It throws an EngineError if that fails. */
export function createFence({ engine, platform, prefix, image, allowed }: FenceParts) {
  const orderOf = (base: string, Entrypoint: string[]): ContainerOrder => {
    const { Env, User, rights, memoryBytes, processes, mount } = FENCE;
    return {
      // SIGKILL is the only signal that it reacts to: an engine that is stopped would otherwise wait for it.
      Image: base,
      Entrypoint,
      Cmd: [],
      Env,
      User,
      StopSignal: 'SIGKILL',
      Labels: { [PLATFORM]: platform(), [KIND]: 'fence', [RULES]: rulesOf(Entrypoint) },
      HostConfig: {
        NetworkMode: 'host',
        UsernsMode: 'host',
        Memory: memoryBytes,
        PidsLimit: processes,
        CapDrop: ['ALL'],
        CapAdd: rights,
        SecurityOpt: ['no-new-privileges'],
        Mounts: [mount],
        LogConfig: { Type: 'json-file', Config: { 'max-size': '1m', 'max-file': '1' } },
        RestartPolicy: { Name: 'always' },
      },
    };
  };

  const raise = async (name: string, order: ContainerOrder, signal: AbortSignal): Promise<void> => {
    await engine.remove(name, signal);
    await engine.create(name, order, signal);
    await engine.start(name, signal);
    const said: string[] = [];
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(CLOSED_MS)]);
    for await (const lines of engine.logs(name, undefined, inTime)) {
      said.push(...lines.map(({ line }) => line));
      if (said.includes(CLOSED)) return;
    }
    await engine.remove(name, signal);
    throw new EngineError(500, said.at(-1) ?? 'the network could not be closed');
  };

  let turn: Promise<void> = Promise.resolve();
  const stand = async (signal: AbortSignal): Promise<void> => {
    const name = `${OURS}fence-${platform()}`;
    const words = await closingWords(prefix(), allowed, engine.isPodman ? 'podman' : 'docker');
    const order = orderOf(await image(signal), words);
    const found = await engine.inspect(name, signal);
    if (found?.State.Running && found.Config.Labels[RULES] === order.Labels[RULES]) return;
    await raise(name, order, signal);
  };
  return (signal: AbortSignal): Promise<void> => {
    turn = turn.catch(() => {}).then(() => stand(signal));
    return turn;
  };
}
