import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

// Memory of no process: what was shared stays when nobody has it mapped, or when the last descriptor of it is on its way
// through a socket. A control group counts it; by a look at processes it can't be found. So where there are no groups it
// can't be had: a filter of system calls (seccomp(2)) answers as a kernel does that lacks them.

/** Numbers of system calls, as the kernel's asm/unistd.h has them for each machine. */
const MACHINES: Readonly<Record<string, { audit: number; calls: Calls }>> = {
  x64: { audit: 0xc000003e, calls: { memfd_create: 319, memfd_secret: 447, msgget: 68, shmget: 29 } },
  arm64: { audit: 0xc00000b7, calls: { memfd_create: 279, memfd_secret: 447, msgget: 186, shmget: 194 } },
};

interface Calls {
  memfd_create: number;
  memfd_secret: number;
  msgget: number;
  shmget: number;
}

/** A segment of a page is what databases lock themselves by; there may be 4,096. */
const MOST_SHARED_BYTES = 4096;
/** Calls that x86-64 has a second time begin here. */
const SECOND_CALLS = 0x40000000;

// Operations of a filter, and where in seccomp_data the parts of a call stand.
const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANSWER = 0x06;
const NUMBER = 0;
const MACHINE = 4;
const SIZE_LOW = 24;
const SIZE_HIGH = 28;
const ALLOW = 0x7fff0000;
const NOT_IMPLEMENTED = 0x00050000 + 38;

/** Writes the filter into a folder of ours, and gives its path; undefined for a machine whose numbers we don't know. */
export async function writeFilter(folder: string): Promise<string | undefined> {
  const machine = MACHINES[process.arch];
  if (!machine) return undefined;
  const file = join(folder, 'filter');
  await writeFile(file, filterFor(machine));
  // Whatever our umask is: it is read under another account.
  await chmod(file, 0o644);
  return file;
}

function filterFor({ audit, calls }: (typeof MACHINES)[string]): Buffer {
  // An operation, how many to pass over if it is true and if not, and its number. `no`: all but the last.
  const program: [number, 'no' | number, 'no' | number, number][] = [
    [LOAD, 0, 0, MACHINE],
    // Programs of 32 bits among them, which have numbers of their own.
    [EQUAL, 0, 'no', audit],
    [LOAD, 0, 0, NUMBER],
    [AT_LEAST, 'no', 0, SECOND_CALLS],
    [EQUAL, 'no', 0, calls.memfd_create],
    [EQUAL, 'no', 0, calls.memfd_secret],
    [EQUAL, 'no', 0, calls.msgget],
    [EQUAL, 0, 4, calls.shmget],
    [LOAD, 0, 0, SIZE_HIGH],
    [EQUAL, 0, 'no', 0],
    [LOAD, 0, 0, SIZE_LOW],
    [AT_LEAST, 'no', 0, MOST_SHARED_BYTES + 1],
    [ANSWER, 0, 0, ALLOW],
    [ANSWER, 0, 0, NOT_IMPLEMENTED],
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [operation, isTrue, isFalse, number]] of program.entries()) {
    const over = (skip: 'no' | number) => (skip === 'no' ? program.length - 2 - at : skip);
    bytes.writeUInt16LE(operation, at * 8);
    bytes.writeUInt8(over(isTrue), at * 8 + 2);
    bytes.writeUInt8(over(isFalse), at * 8 + 3);
    bytes.writeUInt32LE(number, at * 8 + 4);
  }
  return bytes;
}
