import type { IncomingMessage, Server } from 'node:http';
import type { PlatformStream } from './platform-stream.ts';
import { watchPace } from './upload.ts';

/**
 * Minimum upload rate to the platform. Small bodies arrive completely within the first minute, so the rate matters for
 * large archives only.
 */
const LEAST_BYTES_A_SECOND = 16 * 1024;

/** Functions that end the pace checks of request bodies, by the connection on which the bodies arrive. */
const watched = new WeakMap<PlatformStream, Set<() => void>>();

/**
 * Checks the pace of an upload to the platform; the server itself has no body timeout, so that sites can receive slow
 * uploads.
 */
export function watchPlatformUpload(request: IncomingMessage, everyMs: number): void {
  const socket = request.socket as unknown as PlatformStream & { server?: Server };
  const watches = watchesOf(socket);
  const done = () => {
    endWatch();
    watches.delete(done);
  };
  const pace = {
    everyMs,
    leastBytesASecond: LEAST_BYTES_A_SECOND,
    // Bytes of the upload are counted at the socket, because a `data` listener here would start reading the request's
    // body.
    received: () => socket.bytesRead,
    // True if no further bytes of the upload are expected now: the whole body has arrived, or node's buffer is full.
    waits: () => request.complete || request.readableLength >= request.readableHighWaterMark,
  };
  const endWatch = watchPace(pace, () => {
    done();
    const late = Object.assign(new Error('the body took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    socket.server?.emit('clientError', late, socket.client);
  });
  watches.add(done);
  request.on('end', done);
  request.on('close', done);
}

/** Pace checks end with the connection: a request answered before its body arrived emits no further event. */
function watchesOf(socket: PlatformStream): Set<() => void> {
  const known = watched.get(socket);
  if (known) return known;
  const watches = new Set<() => void>();
  watched.set(socket, watches);
  socket.once('close', () => {
    for (const end of watches) end();
  });
  return watches;
}
