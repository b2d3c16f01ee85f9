import { Transform } from 'node:stream';

/**
 * An archive that is larger than the limit is read on up to this many times the limit, so that the client can get the
 * error.
 */
export const READ_TIMES = 2;
/** End of a tar archive: two empty blocks. */
const END = Buffer.alloc(1_024);

/**
 * Passes a tar archive on, up to `mostBytes`. Fails with the error from `tooLarge` for a larger archive, and for one
 * without an end: tar accepts an archive that is cut off between two files. An archive over the limit is read to its
 * end before it fails, because a client that is still sending can't receive an error; only over `READ_TIMES` the limit
 * it fails at once.
 */
export function checkArchive(mostBytes: number, tooLarge: () => Error): Transform {
  let bytes = 0;
  let tail = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > READ_TIMES * mostBytes) return done(tooLarge());
      tail = Buffer.concat([tail, chunk]).subarray(-END.length);
      done(null, bytes > mostBytes ? undefined : chunk);
    },
    flush(done) {
      if (bytes > mostBytes) return done(tooLarge());
      done(tail.equals(END) ? null : new Error('the archive has no end'));
    },
  });
}
