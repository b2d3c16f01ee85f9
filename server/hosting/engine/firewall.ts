import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { routesOf } from '../sandbox/network.ts';
import type { ContainerOrder } from './container-calls.ts';
import type { Engine } from './engine.ts';
import { EngineError } from './errors.ts';
import { KIND, NAME_PREFIX, PLATFORM } from './site-containers.ts';

// Firewall for a single machine. Without it, a container can reach the machine of its engine and all networks that the
// machine reaches. A container of the platform sets rules on that machine that block the closed networks, and sets them
// again if somebody removes them.

export interface FirewallParts {
  engine: Engine;
  platform: () => string;
  prefix: () => string;
  /** Network device whose traffic the firewall blocks; absent: all devices with the prefix. */
  device?: (signal: AbortSignal) => Promise<string>;
  /** Name of any image with /bin/sh and chroot: all other programs of the firewall are the machine's. */
  image: (signal: AbortSignal) => Promise<string>;
  /** Networks that containers may reach although they are closed by default. */
  allowed: readonly string[];
}

const SCRIPT = new URL('firewall.sh', import.meta.url);
export const CLOSED = 'closed';
const CLOSED_MS = 30_000;
const MEBIBYTE = 2 ** 20;
/** Label of a firewall's container, with the hash of the firewall's rules. */
export const RULES_LABEL = 'simcha.rules';

/** Settings of a firewall's container, the same on a single machine and in a cluster. */
export const FIREWALL = {
  Env: ['PATH=/usr/sbin:/usr/bin:/sbin:/bin'],
  User: '0:0',
  rights: ['NET_ADMIN', 'NET_RAW', 'SYS_CHROOT'],
  memoryBytes: 64 * MEBIBYTE,
  processes: 50,
  mount: { Type: 'bind', Source: '/', Target: '/machine' },
} as const;

/**
 * Command line that blocks the closed networks for devices whose names begin with `prefix`, except for allowed
 * networks, and then prints `closed`. `chain`: prefix of the firewall chains' names, if it is not `prefix`; `proof`: a
 * folder of the machine that exists while the rules are in force.
 */
export async function closingCommand(
  prefix: string,
  allowed: readonly string[],
  engine: 'docker' | 'podman',
  { chain, proof }: { chain?: string; proof?: string } = {},
): Promise<string[]> {
  const networks = routesOf({ allowed, own: [], hasIpv6: false })
    .sort((one, other) => other.bits - one.bits)
    .map(({ network, action }) => `${action} ${network}`)
    .join('\n');
  const script = await readFile(SCRIPT, 'utf8');
  const command = [prefix, networks, engine, chain ?? prefix, proof ?? ''];
  return ['chroot', FIREWALL.mount.Target, '/bin/sh', '-c', script, 'sh', ...command];
}

export function hashOfRules(command: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(command)).digest('hex');
}

/**
 * Creates the firewall. Returns a function that resolves once the firewall's rules are in force. It throws an
 * EngineError if that fails.
 */
export function createFirewall({ engine, platform, prefix, device, image, allowed }: FirewallParts) {
  const orderOf = (base: string, Entrypoint: string[]): ContainerOrder => {
    const { Env, User, rights, memoryBytes, processes, mount } = FIREWALL;
    return {
      // The firewall's container ignores all signals except SIGKILL. With another stop signal, an engine that is being
      // stopped would wait for the container.
      Image: base,
      Entrypoint,
      Cmd: [],
      Env,
      User,
      StopSignal: 'SIGKILL',
      Labels: { [PLATFORM]: platform(), [KIND]: 'firewall', [RULES_LABEL]: hashOfRules(Entrypoint) },
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

  const startFirewall = async (name: string, order: ContainerOrder, signal: AbortSignal): Promise<void> => {
    await engine.remove(name, signal);
    await engine.create(name, order, signal);
    await engine.start(name, signal);
    const output: string[] = [];
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(CLOSED_MS)]);
    for await (const lines of engine.logs(name, undefined, inTime)) {
      output.push(...lines.map(({ line }) => line));
      if (output.includes(CLOSED)) return;
    }
    await engine.remove(name, signal);
    throw new EngineError(500, output.at(-1) ?? 'the network could not be closed');
  };

  let lastRun: Promise<void> = Promise.resolve();
  const ensureFirewall = async (signal: AbortSignal): Promise<void> => {
    const name = `${NAME_PREFIX}firewall-${device ? 'builds-' : ''}${platform()}`;
    const kind = engine.isPodman ? 'podman' : 'docker';
    const command = device
      ? await closingCommand(await device(signal), allowed, kind, { chain: `${prefix()}B` })
      : await closingCommand(prefix(), allowed, kind);
    const order = orderOf(await image(signal), command);
    const found = await engine.inspect(name, signal);
    if (found?.State.Running && found.Config.Labels[RULES_LABEL] === order.Labels[RULES_LABEL]) return;
    await startFirewall(name, order, signal);
  };
  return (signal: AbortSignal): Promise<void> => {
    lastRun = lastRun.catch(() => {}).then(() => ensureFirewall(signal));
    return lastRun;
  };
}
