import { spawn } from 'node:child_process';
import { Writable } from 'node:stream';

const TAR = '/usr/bin/tar';
/** tar keeps the name that an archive's header holds, however long that says to be. */
const MOST_KIBIBYTES = 512 * 1_024;
const WITHIN_MEMORY = 'ulimit -v "$0" && exec "$@"';
/** What it says is for our log. */
const MOST_SAID = 10_000;

/**
 * GNU tar in a folder, with an account's rights alone where one is named: links lead it nowhere that the account could not go
 * itself. `ended` gives its exit code, null where a signal ended it. `input` takes an archive to its end, also where tar goes as soon
 * as it has read all that it needs of it.
 */
export function startTar(args: readonly string[], cwd: string, account?: number) {
  const child = spawn('/bin/sh', ['-c', WITHIN_MEMORY, String(MOST_KIBIBYTES), TAR, ...args], {
    cwd,
    ...(account !== undefined && { uid: account, gid: account }),
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(0, MOST_SAID);
  });
  // One that ends early does not take what is still written to it.
  child.stdin.on('error', () => {});
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  ended.catch(() => {});
  return { child, input: inputOf(child.stdin), ended, said: () => said };
}

function inputOf(stdin: Writable): Writable {
  let goOn = () => {};
  stdin.on('drain', () => goOn()).on('close', () => goOn());
  return new Writable({
    write(chunk, _encoding, done) {
      goOn = () => {
        goOn = () => {};
        done();
      };
      if (!stdin.writable || stdin.write(chunk)) goOn();
    },
    final(done) {
      // The pipe's end is dropped with us before tar has taken all that it holds; one that is gone tells of no end.
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
