import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../kernel/clock.ts';
import type { FairQueue } from '../../../kernel/fair-queue.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { BuildLog } from '../../builds/builder.ts';
import { messages } from '../../deployments/messages.ts';
import type { Artifact } from '../../model/artifact.ts';
import type { SiteRow } from '../../model/deployment-rows.ts';
import type { Launch } from '../../model/launch.ts';
import { LeaseLost } from '../../model/lease-fence.ts';
import { RESTART_TIMES, type RestartTimes } from '../../model/lifecycle.ts';
import { RuntimeFailure } from '../../model/reasons/failure.ts';
import { describeReason, type Reason, type ReasonCode, reason } from '../../model/reasons/reason.ts';
import { shortageOf } from '../../model/reasons/shortage.ts';
import { isDesired, type Slot, slotsOf } from '../../model/slots.ts';
import type { InstanceRecords } from '../records/instances.ts';
import type { AskDatabase } from './ask-database.ts';
import type { BackOff } from './back-off.ts';
import type { EnvironmentLog } from './environment-log.ts';
import type { RunningInstance } from './running-instance.ts';

export interface SlotStartParts {
  /** Row of the environment's site, read from the database now. */
  site: (environmentId: string) => Promise<SiteRow | undefined>;
  records: { instances: Pick<InstanceRecords, 'noteDown'> };
  /** Launch of a slot; undefined if its application or its release is gone. */
  launchOf: (row: SiteRow, slot: Slot) => Promise<Launch | undefined>;
  /** Ensures that this machine has the files or the image to start, and builds them again if they are missing. */
  ensureArtifact: (launch: Launch, signal: AbortSignal, log: BuildLog) => Promise<Artifact>;
  start: (launch: Launch, signal: AbortSignal) => Promise<RunningInstance>;
  /** Puts an instance into service, or ends it if the site does not need it any more. */
  serve: (row: SiteRow, launch: Launch, started: RunningInstance, signal: AbortSignal) => Promise<void>;
  /** Limits how many sites start at once. */
  startQueue: FairQueue;
  backOff: BackOff;
  /** Delays before restarts of a site's instances, in place of the defaults. */
  restarts?: RestartTimes;
  askDatabase: AskDatabase;
  environmentLog: EnvironmentLog;
  log: Logger;
  clock: Clock;
  /** Lease term: aborts once this server must no longer run the sites; the start is then given up. */
  term: AbortSignal;
}

/** Longest delay before a restart during which requests wait for the site. */
const SOON_MS = 2_000;
const AWAY: ReasonCode = 'engine_away';
/** Causes of failed starts that persist, so that the site's log names them only once. */
const LASTING: ReadonlySet<string | undefined> = new Set<ReasonCode>([
  'dockerfile_only',
  'dockerfile_untrusted',
  'image_without_engine',
  'image_off',
  'image_untrusted',
  AWAY,
]);

/** Code of the cause why a process could not be started again; undefined if the reason names no such cause. */
function causeOf({ code, params: { why } }: Reason): string | undefined {
  return code === 'did_not_come_back' && typeof why === 'object' ? why.code : undefined;
}

/**
 * Starts the process of one slot of an environment, as the row of its site in the database says. Failed starts are
 * repeated until the process serves or the start is given up.
 */
export class SlotStart {
  readonly #parts: SlotStartParts;
  readonly #slot: Slot;
  readonly #givenUp = new AbortController();
  readonly #signal: AbortSignal;
  /** Persistent cause of failed starts that the site's log has already named. */
  #reportedCause: string | undefined;

  constructor(parts: SlotStartParts, slot: Slot) {
    this.#parts = parts;
    this.#slot = slot;
    this.#signal = AbortSignal.any([this.#givenUp.signal, parts.term]);
  }

  get isGivenUp(): boolean {
    return this.#givenUp.signal.aborted;
  }

  giveUp(): void {
    this.#givenUp.abort();
  }

  /** Resolves once the slot serves or needs no start any more. `ended`: how its former instance ended by itself. */
  async run(ended: Reason | undefined): Promise<void> {
    try {
      await this.#run(ended);
    } catch (error) {
      if (!this.#signal.aborted) this.#parts.log.error({ err: error }, 'a site could not be restarted');
    }
  }

  async #run(ended: Reason | undefined): Promise<void> {
    const { site, askDatabase, backOff } = this.#parts;
    for (let failure = ended; !this.#signal.aborted; ) {
      const row = await askDatabase(() => site(this.#slot.environmentId), this.#signal);
      if (!row || !isDesired(row, this.#slot)) return;
      if (failure && !(await this.#waitAfter(failure, row, failure === ended))) return;
      const launch = await this.#launchFrom(row);
      failure =
        'code' in launch
          ? reason('did_not_come_back', { why: launch })
          : await this.#startAndServe(row, launch);
      if (!failure) return;
      if (causeOf(failure) !== AWAY) backOff.add(this.#slot);
    }
  }

  /**
   * Records a failed start and waits before the next one. Returns false if the site stopped, or runs another deployment
   * by now.
   */
  async #waitAfter(failure: Reason, row: SiteRow, hadServed: boolean): Promise<boolean> {
    const { records, askDatabase, backOff, clock, restarts = RESTART_TIMES } = this.#parts;
    const delayMs = causeOf(failure) === AWAY ? restarts.awayMs : backOff.delayMs(this.#slot);
    // A site that served a moment ago will probably serve again in a moment.
    const soon = hadServed && delayMs <= SOON_MS;
    const note = reason('site_ended', { how: failure });
    const noteDown = () => records.instances.noteDown(row, this.#slot, { note, soon }, clock());
    if (!(await askDatabase(noteDown, this.#signal))) return false;
    this.#report(failure, delayMs, slotsOf(row).length > 1);
    await sleep(delayMs, undefined, { signal: this.#signal });
    return true;
  }

  /** Writes a failed start into the site's log; persistent causes only once. */
  #report(failure: Reason, delayMs: number, isOneOfSeveral: boolean): void {
    const cause = causeOf(failure);
    const text = cause === AWAY ? messages.log.engineAway : describeReason(failure, 'en');
    const isLasting = LASTING.has(cause);
    if (isLasting && text === this.#reportedCause) return;
    if (isLasting) this.#reportedCause = text;
    const line = isLasting ? messages.log.siteStays(text) : messages.log.siteRestarts(text, delayMs / 1_000);
    this.#parts.environmentLog.writeAbout(this.#slot, isOneOfSeveral, line);
  }

  /** All that starting the slot's process takes (a launch), or the reason why the process can't be started. */
  async #launchFrom(row: SiteRow): Promise<Launch | Reason> {
    const { launchOf, askDatabase, log } = this.#parts;
    try {
      return (await askDatabase(() => launchOf(row, this.#slot), this.#signal)) ?? reason('release_gone');
    } catch (error) {
      if (this.#signal.aborted) throw error;
      // An unexpected error, for example because the key for the site's encrypted variables is missing.
      log.error({ err: error, application: row.application_uuid }, 'a site could not be started');
      return reason('our_fault');
    }
  }

  /** Starts an instance in the slot once. Returns the failure; undefined if no further start is needed. */
  async #startAndServe(row: SiteRow, launch: Launch): Promise<Reason | undefined> {
    const { ensureArtifact, start, startQueue, serve, environmentLog, log } = this.#parts;
    try {
      const artifact = await ensureArtifact(launch, this.#signal, environmentLog.asBuildLog(launch));
      const begin = () => start({ ...launch, artifact }, this.#signal);
      const started = await (artifact.kind === 'files' ? begin() : startQueue(row.environment_id, begin));
      await serve(row, launch, started, this.#signal);
      return undefined;
    } catch (error) {
      if (this.#signal.aborted || error instanceof LeaseLost) throw error;
      if (error instanceof RuntimeFailure) return reason('did_not_come_back', { why: error.reason });
      const shortage = shortageOf(error);
      if (!shortage)
        log.error({ err: error, application: launch.applicationId }, 'a site could not be started');
      return reason('did_not_come_back', { why: shortage ?? reason('our_fault') });
    }
  }
}
