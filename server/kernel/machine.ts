import { totalmem } from 'node:os';

const MEBIBYTE = 2 ** 20;
const LARGEST_RESERVE_MB = 4_096;
const USUAL_RESERVE_MB = 1_024;

/** Memory, in MiB, of this machine or of the control group in which the server was started. */
export function machineMemoryMb(): number {
  // Node reports the memory limit 0 if there is no limit, or if the limit is unknown.
  const constrained = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.floor(Math.min(totalmem(), constrained) / MEBIBYTE);
}

/**
 * Default memory, in MiB, that sites and builds leave free for the server and the rest of the machine: an eighth of the
 * machine's memory, but 1 to 4 GiB; on a small machine at most half.
 */
export function defaultReserveMb(machineMb: number): number {
  const eighth = Math.min(Math.floor(machineMb / 8), LARGEST_RESERVE_MB);
  return Math.min(Math.max(eighth, USUAL_RESERVE_MB), Math.floor(machineMb / 2));
}
