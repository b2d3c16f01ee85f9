import { spawn } from 'node:child_process';
import { Writable } from 'node:stream';

const TAR = '/usr/bin/tar';
/**
 * Memory limit of tar, in KiB: tar keeps the whole name from an archive's header, however long the header says it is.
 */
const MOST_KIBIBYTES = 512 * 1_024;
const WITHIN_MEMORY = 'ulimit -v "$0" && exec "$@"';
/** Maximum length of tar's error output in the server's log, in UTF-16 code units. */
const MOST_ERROR_OUTPUT = 10_000;

/**
 * Starts GNU tar in a folder, with only an account's rights if one is given: links then lead only where the account may
 * go itself. `ended` resolves with its exit code, null if a signal ended it. `input` takes the whole archive even if
 * tar exits as soon as it has read what it needs.
 */
export function startTar(args: readonly string[], cwd: string, account?: number) {
  const child = spawn('/bin/sh', ['-c', WITHIN_MEMORY, String(MOST_KIBIBYTES), TAR, ...args], {
    cwd,
    ...(account !== undefined && { uid: account, gid: account }),
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errorOutput = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(0, MOST_ERROR_OUTPUT);
  });
  // Writing to a tar process that has already ended causes an error event, which is ignored.
  child.stdin.on('error', () => {});
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  ended.catch(() => {});
  return { child, input: inputOf(child.stdin), ended, errorOutput: () => errorOutput };
}

function inputOf(stdin: Writable): Writable {
  let resume = () => {};
  stdin.on('drain', () => resume()).on('close', () => resume());
  return new Writable({
    write(chunk, _encoding, done) {
      resume = () => {
        resume = () => {};
        done();
      };
      if (!stdin.writable || stdin.write(chunk)) resume();
    },
    final(done) {
      // Waits until tar has read all data in the pipe; a pipe that is already closed emits no event at its end.
      if (stdin.writable) stdin.end(() => done());
      else done();
    },
    destroy(error, done) {
      stdin.destroy();
      done(error);
    },
  });
}

export const EXTRACT = ['--extract', '--file=-', '--no-same-owner', '--no-same-permissions'];
