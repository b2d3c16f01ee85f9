import { connect, type Socket } from 'node:net';
import { createResponseParser, InvalidResponse, type ResponseHead } from './response-parser.ts';

/** Reason why a site gave no answer, or only part of one. */
export type UpstreamFailure = 'unreachable' | 'broken' | 'late';

/** Receives the events of a request. After `onEnd`, `onUpgrade` or `onFailure` nothing more is called. */
export interface Receiver {
  onHead(head: ResponseHead): void;
  /** The bytes are valid only until `onFlush` returns. */
  onBody(chunk: Buffer): void;
  /** Called when all bytes received so far are delivered; never before `onHead`. */
  onFlush(): void;
  onEnd(): void;
  onUpgrade(head: ResponseHead, socket: Socket, rest: Buffer): void;
  onFailure(failure: UpstreamFailure, error: Error): void;
  /** Called when the site accepts more of the request's body again. */
  onDrain(): void;
}

export interface OutgoingRequest {
  method: string;
  head: string;
  /** True if a body follows, through `write` and `finish`. */
  hasBody: boolean;
  receiver: Receiver;
}

/** A request under way. */
export interface Exchange {
  /** Writes a part of the body. False: wait for `onDrain` before the next call. */
  write(chunk: Buffer | string): boolean;
  /** Marks the body as complete. */
  finish(): void;
  pause(): void;
  resume(): void;
  /** Cancels the request; nobody waits for its answer any more. */
  abandon(): void;
}

export interface Upstream {
  send(outgoing: OutgoingRequest): Exchange;
  /** Closes idle connections now, and busy ones after their current request. */
  close(): void;
}

export interface UpstreamLimits {
  connectMs: number;
  /** Timeout for a silent site before its answer, and for the whole head of the answer from its first byte. */
  answerMs: number;
  /** Timeout for a stalled answer. */
  streamMs: number;
}

const IDLE_MS = 30_000;
/**
 * Servers close idle connections after some seconds (node: 5 s), so a request that can't be repeated uses only fresher
 * ones.
 */
const FRESH_MS = 2_000;
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);

interface Connection {
  socket: Socket;
  current: Job | undefined;
  idleSince: number;
  begin(job: Job): void;
}

interface Job extends OutgoingRequest {
  connection: Connection | undefined;
  /** Time of the answer's first byte; interim answers count too. */
  firstByteAt: number | undefined;
  answered: boolean;
  bodySent: boolean;
  retried: boolean;
}

/**
 * Keep-alive connections to one server, with one request at a time on each. The reasons against undici are in
 * docs/decisions/0010-gateway-client.md.
 */
export function createUpstream(origin: string, { connectMs, answerMs, streamMs }: UpstreamLimits): Upstream {
  const address = { ...connectOptions(origin), noDelay: true };
  const idle: Connection[] = [];
  let closed = false;

  const open = (): Connection => {
    const socket = connect(address);
    letReadingDecide(socket);
    let over = false;
    let connected = false;

    const fail = (failure: UpstreamFailure, error: Error) => {
      if (over) return;
      over = true;
      const at = idle.indexOf(connection);
      if (at !== -1) idle.splice(at, 1);
      socket.destroy();
      const job = connection.current;
      connection.current = undefined;
      if (!job) return;
      // The server closed the connection while the request was on its way, so it has not seen the request.
      if (failure === 'broken' && !job.answered && canRepeat(job) && connection.idleSince > 0) {
        job.retried = true;
        open().begin(job);
      } else {
        job.receiver.onFailure(failure, error);
      }
    };

    const parser = createResponseParser({
      onHead(head) {
        if (!connection.current) return;
        connection.current.answered = true;
        connection.current.receiver.onHead(head);
      },
      onBody: (chunk) => connection.current?.receiver.onBody(chunk),
      onEnd(reusable) {
        const job = connection.current;
        connection.current = undefined;
        if (reusable && job?.bodySent && !closed && !over) {
          connection.idleSince = performance.now();
          socket.setTimeout(IDLE_MS);
          idle.push(connection);
        } else {
          over = true;
          socket.destroy();
        }
        job?.receiver.onEnd();
      },
      onUpgrade(head, rest) {
        const job = connection.current;
        connection.current = undefined;
        over = true;
        socket.setTimeout(0);
        for (const event of ['data', 'end', 'timeout', 'drain']) socket.removeAllListeners(event);
        job?.receiver.onUpgrade(head, socket, rest);
      },
    });

    const connection: Connection = {
      socket,
      current: undefined,
      idleSince: 0,
      begin(job) {
        connection.current = job;
        job.connection = connection;
        job.firstByteAt = undefined;
        parser.begin(job.method);
        if (connected) socket.setTimeout(answerMs);
        if (socket.isPaused()) socket.resume();
        socket.write(job.head, 'latin1');
      },
    };

    socket.setTimeout(connectMs);
    socket.on('connect', () => {
      connected = true;
      socket.setTimeout(answerMs);
    });
    socket.on('data', (bytes: Buffer) => {
      try {
        parser.feed(bytes);
      } catch (error) {
        fail('broken', error as Error);
        return;
      }
      const job = connection.current;
      if (!job) return;
      if (job.answered) {
        socket.setTimeout(streamMs);
        job.receiver.onFlush();
        return;
      }
      // The socket's own timeout restarts with each byte and each interim answer, so a slowly trickling head needs this
      // check.
      job.firstByteAt ??= performance.now();
      if (performance.now() - job.firstByteAt > answerMs) fail('late', new Error('timeout'));
    });
    socket.on('drain', () => connection.current?.receiver.onDrain());
    socket.on('end', () => {
      try {
        parser.end();
        fail('broken', new InvalidResponse('closed'));
      } catch (error) {
        fail('broken', error as Error);
      }
    });
    socket.on('timeout', () => fail(connected ? 'late' : 'unreachable', new Error('timeout')));
    socket.on('error', (error) => fail(connected ? 'broken' : 'unreachable', error));
    socket.on('close', () => fail('broken', new InvalidResponse('closed')));
    return connection;
  };

  return {
    send(outgoing) {
      const job: Job = {
        ...outgoing,
        connection: undefined,
        firstByteAt: undefined,
        answered: false,
        bodySent: !outgoing.hasBody,
        retried: false,
      };
      const reused = canRepeat(job) ? idle.pop() : freshest(idle);
      (reused ?? open()).begin(job);
      const socketOf = () => (job.connection?.current === job ? job.connection.socket : undefined);
      return {
        write(chunk) {
          const socket = socketOf();
          if (!socket) return true;
          return typeof chunk === 'string' ? socket.write(chunk, 'latin1') : socket.write(chunk);
        },
        finish() {
          job.bodySent = true;
        },
        pause: () => void socketOf()?.pause(),
        resume: () => void socketOf()?.resume(),
        abandon() {
          const socket = socketOf();
          if (!socket || !job.connection) return;
          job.connection.current = undefined;
          socket.destroy();
        },
      };
    },
    close() {
      closed = true;
      for (const { socket } of idle.splice(0)) socket.destroy();
    },
  };
}

/** Host and port in the form that `connect` takes. */
export function connectOptions(origin: string): { host: string; port: number } {
  const { hostname, port } = new URL(origin);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
}

function canRepeat(job: Job): boolean {
  return !job.hasBody && !job.retried && REPEATABLE.has(job.method);
}

function freshest(idle: Connection[]): Connection | undefined {
  const last = idle.at(-1);
  return last && performance.now() - last.idleSince < FRESH_MS ? idle.pop() : undefined;
}

/**
 * A site that refuses an upload answers (413) and closes while the gateway still writes. node would treat the failed
 * write as the end of the socket and discard the unread answer. Write failures are therefore ignored; the reading side
 * finds the end after it has read the answer.
 */
function letReadingDecide(socket: Socket): void {
  const spare =
    (callback: (error?: Error | null) => void) =>
    (error?: NodeJS.ErrnoException | null): void =>
      callback(error?.code === 'EPIPE' || error?.code === 'ECONNRESET' ? null : error);
  const { _write: write, _writev: writev } = socket;
  socket._write = (chunk, encoding, callback) => write.call(socket, chunk, encoding, spare(callback));
  if (writev) socket._writev = (chunks, callback) => writev.call(socket, chunks, spare(callback));
}
