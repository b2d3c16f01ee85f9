import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeIfChanged } from './free-space.ts';

// Filter of system calls (seccomp(2)): for calls that a command may not make, it answers like a kernel that lacks them.
//
// Sockets of some families are refused because a network namespace does not isolate them: those to the hypervisor
// (vsock(7)) belong to the whole machine. io_uring is refused because its operations bypass the filter.
//
// If no control groups count memory, calls for memory that belongs to no process are refused. Such shared memory stays
// even if no process maps it, or if its last descriptor is on its way through a socket, so it can't be found by looking
// at processes.

/** Numbers of system calls, as the kernel's asm/unistd.h has them for each machine. */
const MACHINES: Readonly<Record<string, { audit: number; calls: Calls }>> = {
  x64: {
    audit: 0xc000003e,
    calls: { socket: 41, io_uring_setup: 425, memfd_create: 319, memfd_secret: 447, msgget: 68, shmget: 29 },
  },
  arm64: {
    audit: 0xc00000b7,
    calls: {
      socket: 198,
      io_uring_setup: 425,
      memfd_create: 279,
      memfd_secret: 447,
      msgget: 186,
      shmget: 194,
    },
  },
};

interface Calls {
  socket: number;
  io_uring_setup: number;
  memfd_create: number;
  memfd_secret: number;
  msgget: number;
  shmget: number;
}

/** Allowed socket families: AF_UNIX, AF_INET, AF_INET6, and AF_NETLINK, by which programs read their own addresses. */
const FAMILIES = [1, 2, 10, 16];
/**
 * Maximum size of a System V shared memory segment, in bytes: one page, which databases use as a lock. At most 4,096
 * segments can exist.
 */
const MOST_SHARED_BYTES = 4096;
/** First number in x86-64's second set of system calls (x32). */
const SECOND_CALLS = 0x40000000;

// Codes of a filter's operations, and offsets of a system call's fields in seccomp_data.
const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANSWER = 0x06;
const NUMBER = 0;
const MACHINE = 4;
const FAMILY = 16;
const SIZE_LOW = 24;
const SIZE_HIGH = 28;
const ALLOWED = 0x7fff0000;
const FAILED = 0x00050000;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** Results that the filter of system calls can return. */
const ENDS = { yes: ALLOWED, 'no such family': FAILED + EAFNOSUPPORT, 'no such call': FAILED + ENOSYS };
/** Next step of a filter of system calls: a result, or the number of operations to skip. */
type Next = keyof typeof ENDS | number;
type Operation = readonly [operation: number, isTrue: Next, isFalse: Next, value: number];

/**
 * Returns a function that gives the path of the file with the filter of system calls, in a private folder, and writes
 * the file if it is missing. Returns undefined for a processor architecture whose numbers of system calls are not known
 * here. `grouped`: true if control groups limit commands.
 */
export function filterIn(folder: string, grouped: boolean): (() => string) | undefined {
  const machine = MACHINES[process.arch];
  if (!machine) return undefined;
  const file = join(folder, 'filter');
  const filter = filterFor(machine, grouped);
  return () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // The file may exist with the filter of an earlier version of the platform.
    writeIfChanged(file, filter);
    return file;
  };
}

function filterFor({ audit, calls }: (typeof MACHINES)[string], grouped: boolean): Buffer {
  const ofFamily: Operation[] = [
    [LOAD, 0, 0, FAMILY],
    ...FAMILIES.map((family): Operation => [EQUAL, 'yes', 0, family]),
    [ANSWER, 0, 0, ENDS['no such family']],
  ];
  const nobodys: Operation[] = [
    [EQUAL, 'no such call', 0, calls.memfd_create],
    [EQUAL, 'no such call', 0, calls.memfd_secret],
    [EQUAL, 'no such call', 0, calls.msgget],
    [EQUAL, 0, 'yes', calls.shmget],
    [LOAD, 0, 0, SIZE_HIGH],
    [EQUAL, 0, 'no such call', 0],
    [LOAD, 0, 0, SIZE_LOW],
    [AT_LEAST, 'no such call', 0, MOST_SHARED_BYTES + 1],
  ];
  return encoded([
    [LOAD, 0, 0, MACHINE],
    // Programs of 32 bits are refused as well: their system calls have other numbers.
    [EQUAL, 0, 'no such call', audit],
    [LOAD, 0, 0, NUMBER],
    [AT_LEAST, 'no such call', 0, SECOND_CALLS],
    [EQUAL, 'no such call', 0, calls.io_uring_setup],
    [EQUAL, 0, ofFamily.length, calls.socket],
    ...ofFamily,
    ...(grouped ? [] : nobodys),
  ]);
}

/**
 * Encodes the operations of a filter of system calls, followed by its possible results. If no operation decides about a
 * call, the first of the results counts.
 */
function encoded(operations: readonly Operation[]): Buffer {
  const ends = Object.entries(ENDS);
  const program: Operation[] = [...operations, ...ends.map(([, end]): Operation => [ANSWER, 0, 0, end])];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [operation, isTrue, isFalse, value]] of program.entries()) {
    const over = (next: Next) =>
      typeof next === 'number'
        ? next
        : operations.length + ends.findIndex(([name]) => name === next) - at - 1;
    bytes.writeUInt16LE(operation, at * 8);
    bytes.writeUInt8(over(isTrue), at * 8 + 2);
    bytes.writeUInt8(over(isFalse), at * 8 + 3);
    bytes.writeUInt32LE(value, at * 8 + 4);
  }
  return bytes;
}
