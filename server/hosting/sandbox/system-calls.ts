import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeIfChanged } from './free-space.ts';

// What a command may not ask of the kernel: a filter of system calls (seccomp(2)) answers as a kernel does that lacks them.
//
// Sockets of families that no network of its own walls off: those to the hypervisor (vsock(7)) belong to the whole machine.
// So do all that io_uring would open past the filter.
//
// Memory of no process, where there are no control groups to count it: what was shared stays when nobody has it mapped, or
// when the last descriptor of it is on its way through a socket, and by a look at processes it can't be found.

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

/** AF_UNIX, AF_INET, AF_INET6, and AF_NETLINK, by which programs ask for their own addresses. */
const FAMILIES = [1, 2, 10, 16];
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
const FAMILY = 16;
const SIZE_LOW = 24;
const SIZE_HIGH = 28;
const ALLOWED = 0x7fff0000;
const FAILED = 0x00050000;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** How a filter ends. */
const ENDS = { yes: ALLOWED, 'no such family': FAILED + EAFNOSUPPORT, 'no such call': FAILED + ENOSYS };
/** Where a filter goes on: at an end, or so many operations further. */
type Next = keyof typeof ENDS | number;
type Operation = readonly [operation: number, isTrue: Next, isFalse: Next, value: number];

/**
 * The filter as a file in a folder of ours: gives its path, and writes it where it is not there (any more). Undefined for
 * a machine whose numbers we don't know. `grouped`: control groups count what commands take.
 */
export function filterIn(folder: string, grouped: boolean): (() => string) | undefined {
  const machine = MACHINES[process.arch];
  if (!machine) return undefined;
  const file = join(folder, 'filter');
  const filter = filterFor(machine, grouped);
  return () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A former version's may be there.
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
    // Programs of 32 bits among them, which have numbers of their own.
    [EQUAL, 0, 'no such call', audit],
    [LOAD, 0, 0, NUMBER],
    [AT_LEAST, 'no such call', 0, SECOND_CALLS],
    [EQUAL, 'no such call', 0, calls.io_uring_setup],
    [EQUAL, 0, ofFamily.length, calls.socket],
    ...ofFamily,
    ...(grouped ? [] : nobodys),
  ]);
}

/** The operations, with the ends behind them, the first of which is where they lead by themselves. */
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
