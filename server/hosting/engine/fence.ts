import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { waysOf } from '../sandbox/network.ts';
import { EngineError } from './connection.ts';
import type { ContainerOrder, Engine } from './engine.ts';
import { KIND, OURS, PLATFORM } from './site-containers.ts';

// An engine lets its containers reach its machine and all that this one reaches. What they may not is closed on that machine, by
// a container of ours that runs there for as long as the engine does: rules that somebody else has removed are made again.

export interface FenceParts {
  engine: Engine;
  platform: () => string;
  prefix: () => string;
  /** Any that has /bin/sh and chroot: all else is the machine's. */
  image: (signal: AbortSignal) => Promise<string>;
  /** Networks that may be reached although they are closed to everybody. */
  allowed: readonly string[];
}

const SCRIPT = new URL('fence.sh', import.meta.url);
export const CLOSED = 'closed';
const CLOSED_MS = 30_000;
const MEBIBYTE = 2 ** 20;
/** Of a fence, which rules it was made for. */
export const RULES = 'simcha.rules';

/** What stands on a machine to close it, whatever starts it there. */
export const FENCE = {
  Env: ['PATH=/usr/sbin:/usr/bin:/sbin:/bin'],
  User: '0:0',
  rights: ['NET_ADMIN', 'NET_RAW', 'SYS_CHROOT'],
  memoryBytes: 64 * MEBIBYTE,
  processes: 50,
  mount: { Type: 'bind', Source: '/', Target: '/machine' },
} as const;

/**
 * What closes devices with names that begin so to all but networks that are allowed, and says so by a line. `chain`: how the names of
 * chains begin, where not so; `proof`: a folder of the machine's that is there while it is closed.
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

/** Which rules a fence is made for. */
export function rulesOf(words: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(words)).digest('hex');
}

/** Gives a function that has the ways closed when it is through. Throws an EngineError where they can't be. */
export function createFence({ engine, platform, prefix, image, allowed }: FenceParts) {
  const orderOf = (base: string, Entrypoint: string[]): ContainerOrder => {
    const { Env, User, rights, memoryBytes, processes, mount } = FENCE;
    return {
      // It hears nothing else: an engine that is ended would wait for it.
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
