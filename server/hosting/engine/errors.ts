import { reportsFullDisk } from '../../kernel/full-disk.ts';
import { isBeingStopped } from './quirks/messages.ts';

/** Error of the engine: it refused a call or failed at it. */
export class EngineError extends Error {
  /** HTTP status of the engine's answer; 500 if a successful answer reported the failure. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Error because the disk of the engine's machine is full. */
export class EngineFull extends EngineError {
  readonly code = 'ENOSPC';
}

/** Makes the error that matches an engine's response. */
export function engineErrorFor(status: number, message: string): EngineError | EngineAway {
  if (isBeingStopped(message)) return new EngineAway(message);
  return reportsFullDisk(message) ? new EngineFull(status, message) : new EngineError(status, message);
}

/** Error because the engine does not answer, or no longer does. */
export class EngineAway extends Error {}
