import { sql } from 'kysely';
import type { Reason } from './reasons/reason.ts';

/** Kinds of runs; `cron`: started by its schedule. */
export const RUN_KINDS = ['once', 'cron'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

export const RUN_STATUSES = ['waiting', 'running', 'succeeded', 'failed', 'cancelled', 'skipped'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** A run: a command of a release that runs to its end. */
export interface RunRow {
  run_id: string;
  environment_id: string;
  kind: RunKind;
  /** Name of the plan's cron job; null for other commands. */
  job: string | null;
  command: string;
  /** Time limit of the run, in seconds. */
  seconds: number;
  status: RunStatus;
  reason: Reason | null;
  /** Deployment whose release the run uses; null before the run has started. */
  deployment_uuid: string | null;
  cancel_requested: boolean;
  due_at: Date | null;
  asked_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
}

export const runColumns = sql`
  run_id, environment_id, kind, job, command, seconds, status, reason, deployment_uuid, cancel_requested, due_at, asked_at,
  started_at, ended_at`;
export const isUnfinishedRun = sql`status in ('waiting', 'running')`;
