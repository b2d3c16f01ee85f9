import { Cron } from 'croner';
import { type RawBuilder, sql } from 'kysely';
import { DEFAULT_ZONE } from './clock.ts';

// Schedules are jobs of one queue. Each schedule has at most one job there, over all servers: it waits for the
// schedule's next time, or it runs. The watch of jobs sends the next one after it has ended.

/** Work that one of the servers does again and again. */
export interface Schedule<Work = unknown> {
  name: string;
  /**
   * A cron expression (five fields, Israel's time) of the times at which the work runs; or an SQL condition: the work
   * then runs soon after the condition has become true, and again as long as it is.
   */
  when: string | RawBuilder<boolean>;
  work: Work;
}

/** Queue of all schedules' jobs. */
export const SCHEDULED = 'scheduled';

/** Data of a schedule's job: the schedule's name and key. */
export interface ScheduleData {
  name: string;
  key: string;
}

/**
 * Key of a schedule's job. It contains the cron expression, so that a schedule whose times have changed needs a new job;
 * the job of the former times does nothing.
 */
export function scheduleKey({ name, when }: Schedule): string {
  return typeof when === 'string' ? `${name} ${when}` : name;
}

/** SQL condition: a schedule needs a job, if it has none. */
export function isScheduleDue({ when }: Schedule): RawBuilder<boolean> {
  return typeof when === 'string' ? sql`true` : sql`(${when})`;
}

/** Job that is sent for a schedule which has none. It begins after `now`, or at once if a condition is true. */
export function nextScheduledJob(schedule: Schedule, now: Date) {
  const { name, when } = schedule;
  const key = scheduleKey(schedule);
  const data: ScheduleData = { name, key };
  return { data, singletonKey: key, ...(typeof when === 'string' && { startAfter: nextTime(when, now) }) };
}

function nextTime(cron: string, now: Date): Date {
  const next = new Cron(cron, { timezone: DEFAULT_ZONE, mode: '5-part', paused: true }).nextRun(now);
  if (!next) throw new Error(`the schedule ${cron} has no next time`);
  return next;
}
