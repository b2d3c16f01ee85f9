import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { archiveOfFolders, joinArchives } from '../engine/archives.ts';
import type { ContainerMount, ContainerOrder } from '../engine/container-calls.ts';
import { runInContainer, scriptCommand, WAIT_COMMAND } from '../engine/container-commands.ts';
import type { Engine } from '../engine/engine.ts';
import type { Labels } from '../engine/labels.ts';
import {
  APP,
  containerLimits,
  environmentList,
  HOME,
  NAME_PREFIX,
  SITE_USER,
  USER,
} from '../engine/site-containers.ts';
import type { BuildPlan, Step } from '../model/plan.ts';
import { reason } from '../model/reasons/reason.ts';
import type { BuildName } from '../model/site-folders.ts';
import type { End } from '../sandbox/command.ts';
import { SPECIALS } from '../sandbox/helper-shell.ts';
import { createLineReader, LONGEST_LINE, type Output } from '../sandbox/lines.ts';
import { createLogRateLimit } from '../sandbox/log-rate-limit.ts';
import { withHeapLimit } from '../sandbox/node-heap.ts';
import { programPath } from '../sandbox/shell.ts';
import { describeCode } from '../sandbox/spawning.ts';
import { type BuildCaches, CACHE_FOLDER } from './build-caches.ts';
import { createMemoryWatch } from './build-memory.ts';
import type { BuildOrder } from './builder.ts';
import { siteVariables } from './site-variables.ts';

export interface BuildContainerParts {
  engine: Engine;
  caches: BuildCaches;
  memoryMb: number;
  /** Labels of every volume and network that all builds of an application share. */
  labelsOf: (applicationId: string) => Labels;
  /**
   * Network that builds of an application share: the engine needs as long to make a network as to build a small site.
   */
  network: (applicationId: string, signal: AbortSignal) => Promise<string>;
}

const MOST_PROCESSES = 1_000;
/**
 * Folders of package managers whose images keep what they download elsewhere: in the home of builds, the next build finds
 * it, and no release contains it.
 */
const PACKAGE_FOLDERS = { GOPATH: `${HOME}/go`, CARGO_HOME: `${HOME}/.cargo` };
/** CPU weight of a build: a quarter of a site's. */
const CPU_SHARES = 256;
/** Path of the temporary folder, which some images lack. */
const TMP = '/tmp';

export const containerName = ({ buildId }: BuildName): string => `${NAME_PREFIX}build-${buildId}`;

/**
 * Container in which a build runs. Variables go to each command and not to the container, so an image of it does not
 * contain them.
 */
export class BuildContainer {
  readonly name: string;
  readonly #order: BuildOrder;
  readonly #parts: BuildContainerParts;

  constructor(order: BuildOrder, parts: BuildContainerParts) {
    this.name = containerName(order);
    this.#order = order;
    this.#parts = parts;
  }

  /** True if the build's commands run in the container; otherwise the container is never started. */
  get runs(): boolean {
    return needsContainer(this.#order.plan);
  }

  /** Creates the build's container from an image, adds the archive's files, and starts the container. */
  async begin(
    { image, content }: { image: string; content: () => Readable },
    signal: AbortSignal,
  ): Promise<void> {
    const { engine, caches, labelsOf, network } = this.#parts;
    const { applicationId } = this.#order;
    const labels = labelsOf(applicationId);
    const networkId = this.runs ? await network(applicationId, signal) : 'none';
    const order = this.#orderOf({
      image,
      labels,
      network: networkId,
      mounts: caches.mountsOf(applicationId),
    });
    await caches.withVolumes(applicationId, labels, () => engine.create(this.name, order, signal), signal);
    const own = archiveOfFolders([APP, HOME, CACHE_FOLDER, TMP], SITE_USER);
    await engine.putFiles(this.name, '/', joinArchives(own, content), signal);
    if (this.runs) await engine.start(this.name, signal);
  }

  /**
   * Removes named pipes that former builds left in the home and cache folders: a program that opens one instead of its
   * settings file would wait forever.
   */
  async removePipes(signal: AbortSignal): Promise<void> {
    if (!this.runs) return;
    await this.script(`find "$@" -xdev ${SPECIALS} -delete`, { args: [HOME, CACHE_FOLDER] }, signal);
  }

  /** Runs a command of the build plan in the build's container. */
  async run(
    { command, at = this.#order.root }: Pick<Step, 'command' | 'at'>,
    output: Output,
    signal: AbortSignal,
  ): Promise<End> {
    const { engine, memoryMb } = this.#parts;
    const rateLimit = createLogRateLimit(() => performance.now());
    const memory = createMemoryWatch(memoryMb, output);
    const readers = {
      out: createLineReader(LONGEST_LINE, rateLimit, memory.output),
      error: createLineReader(LONGEST_LINE, rateLimit, memory.output),
    };
    const order = {
      Cmd: ['/bin/sh', '-c', command],
      Env: environmentList({
        ...this.#variables(),
        HOME,
        PATH: programPath({ command, below: at }, APP, '/usr/local/sbin'),
      }),
      WorkingDir: posix.join(APP, at),
      User: USER,
    };
    const code = await this.#order.effect(() =>
      engine.exec(this.name, order, (bytes, from) => readers[from].push(bytes), signal),
    );
    for (const reader of Object.values(readers)) reader.end();
    if (code === 0) return { succeeded: true, how: describeCode(code) };
    const found = await engine.inspect(this.name, signal);
    const how = found?.State.OOMKilled
      ? reason('too_much_memory', { mebibytes: memoryMb })
      : describeCode(code);
    return memory.explain({ succeeded: false, how });
  }

  /** Runs one of the platform's own scripts in the application's root; no shell interprets its arguments. */
  async script(
    text: string,
    { args = [], home = HOME }: { args?: readonly string[]; home?: string },
    signal: AbortSignal,
  ): Promise<{ code: number; lines: string[] }> {
    const order = {
      Cmd: scriptCommand(text, args),
      Env: [`HOME=${home}`],
      WorkingDir: posix.join(APP, this.#order.root),
      User: USER,
    };
    const { code, output } = await runInContainer(this.#parts.engine, this.name, order, signal);
    return { code, lines: output.split('\n').filter((line) => line !== '') };
  }

  /** Ends leftover processes, so that nothing is written any more, and removes temporary files. */
  async settle(signal: AbortSignal): Promise<void> {
    if (!this.runs) return;
    await this.script('kill -KILL -1', {}, signal);
    await this.script(`rm -rf ${TMP}/* ${TMP}/.[!.]* ${TMP}/..?*`, {}, signal);
  }

  /** Number of bytes that the build wrote outside of its image and its volumes. */
  writtenBytes(signal: AbortSignal): Promise<number> {
    return this.#parts.engine.writtenBytes(this.name, signal);
  }

  #variables() {
    const { facts, plan, variables } = this.#order;
    const all = { ...siteVariables(facts), ...PACKAGE_FOLDERS, ...plan.variables, CI: 'true', ...variables };
    return withHeapLimit(all, this.#parts.memoryMb);
  }

  #orderOf(given: {
    image: string;
    labels: Labels;
    network: string;
    mounts: ContainerMount[];
  }): ContainerOrder {
    return {
      Image: given.image,
      Entrypoint: WAIT_COMMAND,
      Cmd: [],
      User: USER,
      WorkingDir: APP,
      Labels: given.labels,
      HostConfig: {
        ...containerLimits({ memoryMb: this.#parts.memoryMb, processes: MOST_PROCESSES }),
        // Temporary files go to the disk, where they are measured: installers unpack there.
        Tmpfs: {},
        Mounts: given.mounts,
        CpuShares: CPU_SHARES,
        NetworkMode: given.network,
      },
    };
  }
}

/** True if a build needs a running container. A build without commands is copied into its image as it is. */
function needsContainer({ kind, steps, node, programs = [], caches = [] }: BuildPlan): boolean {
  return kind === 'static' || node !== undefined || [...steps, ...programs, ...caches].length > 0;
}
