import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reason } from '../../server/hosting/model/reasons/reason.ts';
import { type OpenRuntime, openProcesses } from '../../server/hosting/open-runtime.ts';
import {
  type Instance,
  onlyReplica,
  type Runtime,
  refuseUnsupported,
} from '../../server/hosting/runtimes/runtime.ts';
import { signalProcess } from '../../server/hosting/sandbox/processes.ts';
import { freePort } from './postgres.ts';

/** Shell command that puts the current time in front of each line of its input. */
const STAMP = `perl -MTime::HiRes=time -ne '$| = 1; printf "%d %s", time * 1000, $_'`;
const LOOK_MS = 50;

interface Kept extends Instance {
  pid: number;
}

/**
 * Runtime whose processes outlive the server that started them, as an engine's containers do. All its data is on the
 * disk only.
 */
export const openOutlivingRuntime: OpenRuntime = async (parts) => {
  const { runtime: processes, ...rest } = await openProcesses(parts);
  const engine = engineOf(parts.settings.dataDir);
  await mkdir(engine, { recursive: true });
  const folderOf = (instance: string) => join(engine, instance);

  const read = (instance: string) => readKept(folderOf(instance));
  const list = async () => {
    // The server that gets the lease waits for this list of running processes; with OUTLIVING_HANGS it never gets the
    // list.
    if (process.env.OUTLIVING_HANGS) await new Promise(() => {});
    return (await Promise.all((await readdir(engine)).map(read))).filter((one) => !!one);
  };

  const runtime: Runtime = {
    isolation: 'sites outlive the server',
    capabilities: new Set(['folders', 'outliving']),
    claim: () => processes.claim(),
    recover: () => processes.recover(),
    list,

    async start(order) {
      refuseUnsupported(runtime, order);
      const { instance, labels, artifact, command, variables } = order;
      const known = await read(instance);
      if (known) return known;
      const folder = folderOf(instance);
      await cp(parts.folders.source(labels), join(folder, 'app'), { recursive: true });
      const port = await freePort();
      const output = openSync(join(folder, 'output'), 'a');
      const child = spawn('/bin/sh', ['-c', `exec 2>&1; (${command}) | ${STAMP}`], {
        cwd: join(folder, 'app', artifact.kind === 'folder' ? artifact.below : ''),
        env: { ...variables, PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), HOME: folder },
        detached: true,
        stdio: ['ignore', output, output],
      });
      child.unref();
      const replicas = [onlyReplica(instance, labels, `http://127.0.0.1:${port}`)];
      const kept = { instance, labels, replicas, pid: child.pid };
      await writeFile(join(folder, 'new.json'), JSON.stringify(kept));
      await rename(join(folder, 'new.json'), join(folder, 'instance.json'));
      return kept;
    },

    async stop(instance, graceMs) {
      const kept = await read(instance);
      if (!kept) return;
      signalProcess(-kept.pid, 'SIGTERM');
      for (const end = Date.now() + graceMs; runs(kept.pid) && Date.now() < end; ) await sleep(LOOK_MS);
      signalProcess(-kept.pid, 'SIGKILL');
      await rm(folderOf(instance), { recursive: true, force: true });
    },

    async *events(signal) {
      const told = new Set<string>();
      for (; !signal.aborted; await sleep(LOOK_MS)) {
        for (const one of await list()) {
          if (one.ended && !told.has(one.instance)) yield one;
          if (one.ended) told.add(one.instance);
        }
      }
    },

    async *logs(instance, { since = 0, signal }) {
      for (let from = 0; !signal.aborted; await sleep(LOOK_MS)) {
        const isOver = !runs((await read(instance))?.pid ?? 0);
        const text = await readFile(join(folderOf(instance), 'output'), 'utf8').catch(() => '');
        const end = text.lastIndexOf('\n') + 1;
        for (const line of text.slice(from, end).split('\n').slice(0, -1)) {
          const [time = ''] = line.split(' ', 1);
          if (Number(time) > since) yield { at: Number(time), lines: [line.slice(time.length + 1)] };
        }
        from = end;
        if (isOver) return;
      }
    },

    run: () => Promise.reject(new Error('no tasks here')),
    retainedEnvironments: () => processes.retainedEnvironments(),
    forget: (key, signal) => processes.forget(key, signal),
    close: () => processes.close(),
  };
  return { runtime, ...rest };
};

/** Kills the site processes that a test's runtime has left running in a data folder. */
export async function endOutlivingProcesses(dataDir: string): Promise<void> {
  for (const instance of await readdir(engineOf(dataDir))) {
    const kept = await readKept(join(engineOf(dataDir), instance));
    if (kept) signalProcess(-kept.pid, 'SIGKILL');
  }
}

function engineOf(dataDir: string): string {
  return join(dataDir, 'engine');
}

async function readKept(folder: string): Promise<Kept | undefined> {
  const text = await readFile(join(folder, 'instance.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const kept: Kept = JSON.parse(text);
  return runs(kept.pid) ? kept : { ...kept, replicas: [], ended: reason('exited', { code: 1 }) };
}

/** True if the process runs. A process that has ended may stay a zombie until its new parent reaps it. */
function runs(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return false;
  }
}
