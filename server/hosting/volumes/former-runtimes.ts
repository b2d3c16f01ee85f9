import type { Kysely } from 'kysely';
import { ConfigError } from '../../kernel/config.ts';
import type { Logger } from '../../kernel/log.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { repeatedWarnings } from '../../kernel/repeated-warnings.ts';
import type { AppsRuntime } from '../../kernel/settings.ts';
import { findDeletedEnvironments } from '../model/deployment-rows.ts';
import type { Labels, Runtime } from '../runtimes/runtime.ts';
import type { ContentRecords } from './content-records.ts';
import type { VolumeName } from './contents.ts';
import { messages } from './messages.ts';
import type { OpenedRuntime } from './opened-runtime.ts';

export interface FormerRuntimesParts {
  db: Kysely<unknown>;
  records: ContentRecords;
  /** Opens a runtime that is not the current one. Throws ConfigError if it is not available. */
  openRuntime: (kind: AppsRuntime) => Promise<OpenedRuntime>;
  log: Logger;
}

/** Time for instances of a former runtime to stop. */
const GRACE_MS = 10_000;
/** Timeout for asking a runtime for its identity, and for asking where a volume's content is stored. */
export const IDENTITY_MS = 10_000;
/** Timeout for the removal of one deleted environment's data. */
const REMOVAL_MS = 600_000;

const AWAY = 'what ran sites before can’t be reached';
const ALL_AWAY = `${AWAY}, nor what they keep there`;

/** Runtimes that ran sites before the current runtime. They may still run instances and have contents of volumes. */
export class FormerRuntimes {
  readonly #parts: FormerRuntimesParts;

  constructor(parts: FormerRuntimesParts) {
    this.#parts = parts;
  }

  /** Opens a former runtime. Throws ConfigError if it is not available, or is another engine or cluster than before. */
  async open(kind: AppsRuntime): Promise<OpenedRuntime> {
    const { openRuntime, log } = this.#parts;
    const opened = await openRuntime(kind);
    try {
      await this.#refuseOtherEngine(kind, opened.runtime);
      for (const warning of [AWAY, ALL_AWAY]) repeatedWarnings(log).clear({ runtime: kind }, warning);
      return opened;
    } catch (error) {
      await closeRuntime(opened);
      throw error;
    }
  }

  /**
   * Opens a former runtime for a request about a volume's content. Throws a 503 if the runtime or the content is not
   * available.
   */
  async openForRequest(volume: VolumeName, kind: AppsRuntime): Promise<OpenedRuntime> {
    const refused = new Refusal(503, 'unhosted', messages.machineAway);
    const opened = await this.open(kind).catch(async (error) => {
      await this.warnAway(kind, error);
      throw refused;
    });
    const where = await opened.contents
      .where(volume, AbortSignal.timeout(IDENTITY_MS))
      .catch(() => undefined);
    if (where !== undefined) return opened;
    await closeRuntime(opened);
    throw refused;
  }

  /**
   * Stops all instances of a former runtime, and removes the data that deleted environments have there. Failures are
   * logged.
   */
  async retire(kind: AppsRuntime): Promise<void> {
    const { db, records } = this.#parts;
    try {
      await withRuntime(this.open(kind), async ({ runtime }) => {
        await runtime.recover();
        await stopInstances(runtime);
        for (const key of await findDeletedEnvironments(db, await runtime.retainedEnvironments()))
          await runtime.forget(key, AbortSignal.timeout(REMOVAL_MS));
      });
      await records.removeUsedRuntime(kind);
    } catch (error) {
      await this.warnAway(kind, error);
    }
  }

  /** Logs that a former runtime is not available, and whether it has contents of volumes. */
  async warnAway(kind: AppsRuntime, error: unknown): Promise<void> {
    const { records, log } = this.#parts;
    const why = (error as Error).message.replace('APPS_RUNTIME is', 'APPS_RUNTIME was');
    const warning = (await records.hasContentsIn(kind)) ? ALL_AWAY : AWAY;
    repeatedWarnings(log).warn({ runtime: kind }, warning, why);
  }

  async #refuseOtherEngine(kind: AppsRuntime, runtime: Runtime): Promise<void> {
    const was = (await this.#parts.records.findUsedRuntimes()).get(kind);
    const is = await runtime.identity?.(AbortSignal.timeout(IDENTITY_MS));
    if (was === undefined || is === undefined || was === is) return;
    throw new ConfigError(
      `APPS_RUNTIME is ${kind}, and APPS_ENGINE leads to another engine or cluster than sites ran by.`,
    );
  }
}

/** Runs work with a runtime that is being opened, and closes it afterwards. */
export async function withRuntime<T>(
  opening: Promise<OpenedRuntime>,
  work: (opened: OpenedRuntime) => Promise<T>,
): Promise<T> {
  const opened = await opening;
  try {
    return await work(opened);
  } finally {
    await closeRuntime(opened);
  }
}

export async function closeRuntime({ runtime, builder, contents }: OpenedRuntime): Promise<void> {
  await Promise.all([builder.close(), contents.close(), runtime.close()]);
}

/** Stops a runtime's instances, because they could write to volumes that are being read. */
export async function stopInstances(
  runtime: Pick<Runtime, 'list' | 'stop'>,
  isMeant: (labels: Labels) => boolean = () => true,
): Promise<void> {
  const instances = (await runtime.list()).filter(({ labels }) => isMeant(labels));
  await Promise.all(instances.map(({ instance }) => runtime.stop(instance, GRACE_MS)));
}
