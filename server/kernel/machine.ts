import { totalmem } from 'node:os';

const MEBIBYTE = 2 ** 20;
const LARGEST_RESERVE_MB = 4_096;
const USUAL_RESERVE_MB = 1_024;

/** The memory that this machine has, or the control group that the server was started in, in MiB. */
export function machineMemoryMb(): number {
  // 0 where there is no limit, or none is known.
  const constrained = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.floor(Math.min(totalmem(), constrained) / MEBIBYTE);
}

/** What strangers' commands leave to the server and the rest of a machine, unless told: an eighth, of a small one a half at most. */
export function usualReserveMb(machineMb: number): number {
  const eighth = Math.min(Math.floor(machineMb / 8), LARGEST_RESERVE_MB);
  return Math.min(Math.max(eighth, USUAL_RESERVE_MB), Math.floor(machineMb / 2));
}
