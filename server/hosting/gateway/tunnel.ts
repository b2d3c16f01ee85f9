import type { Socket } from 'node:net';
import { type Backend, runAfterRandomDelay } from './backend.ts';
import type { Exchange, Receiver } from './exchange.ts';
import { closeFrame, createFrameReader, SERVICE_RESTART } from './frames.ts';
import { type ClientRequest, responseHeaders, upgradeHead } from './headers.ts';
import type { ResponseHead } from './response-head.ts';
import type { Upstream } from './upstream.ts';

const IDLE_MS = 3_600_000;
/** Time that a site has to send the rest of a WebSocket frame that it has begun. */
const REST_MS = 1_000;

export interface TunnelParts {
  host: string;
  ours: readonly string[];
  /** Value of a `Set-Cookie` header with the cookie that keeps a visitor on the same replica. */
  cookie: string | undefined;
  /** Called with the status of the site's answer. */
  onStatus(status: number): void;
  /** Called if the site did not accept the WebSocket and gave no answer that could be passed on. */
  fail(error: Error): void;
}

/**
 * Requests a WebSocket from the site and joins the two sockets once the site agrees. Any other answer (401, 404, …) is
 * passed to the client and closes the connection.
 */
export function openTunnel(
  request: ClientRequest,
  client: Socket,
  early: Buffer,
  backend: Backend,
  upstream: Upstream,
  { host, ours, cookie, onStatus, fail }: TunnelParts,
): void {
  let answering = false;
  const head = (answer: ResponseHead, connection: string) => {
    onStatus(answer.status);
    const headers = responseHeaders(answer, host, ours, request.toPeer);
    if (cookie !== undefined) headers.push('set-cookie', cookie);
    let text = `HTTP/1.1 ${answer.status} ${answer.reason}\r\n`;
    for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`;
    return `${text}${connection}\r\n\r\n`;
  };
  const abandon = () => exchange.abandon();
  const receiver: Receiver = {
    onHead(answer) {
      answering = true;
      client.write(head(answer, 'connection: close'), 'latin1');
    },
    onBody(chunk) {
      if (!client.write(chunk)) exchange.pause();
    },
    onFlush() {},
    onEnd: () => void client.end(() => client.destroy()),
    onDrain() {},
    onUpgrade(answer, site, rest) {
      client.off('close', abandon);
      client.off('drain', proceed);
      client.write(head(answer, 'connection: Upgrade\r\nupgrade: websocket'), 'latin1');
      if (rest.length > 0) client.write(rest);
      if (early.length > 0) site.write(early);
      join(client, site, backend, { first: rest });
    },
    onFailure(_failure, error) {
      if (answering) client.destroy();
      else fail(error);
    },
  };
  const proceed = () => exchange.resume();
  client.on('close', abandon);
  client.on('drain', proceed);
  const exchange: Exchange = upstream.send({
    method: 'GET',
    head: upgradeHead(request),
    hasBody: false,
    receiver,
  });
}

/**
 * Joins the two sockets; when either ends, so does the other. If neither the client nor the site has closed the
 * WebSocket itself, the client gets a "service restart" close frame.
 */
function join(client: Socket, site: Socket, backend: Backend, { first }: { first: Buffer }): void {
  const frames = createFrameReader();
  frames.read(first);
  let isOver = false;
  const drop = () => {
    isOver = true;
    backend.tunnels.delete(restart);
    client.destroySoon();
    site.destroySoon();
  };
  const sayRestart = () => {
    if (isOver) return;
    site.unpipe(client);
    if (client.writable && !frames.isClosed()) client.write(closeFrame(SERVICE_RESTART));
    drop();
  };
  let isEnding = false;
  /** Closes the WebSocket between two frames; a site in the middle of a frame has a moment to send the rest. */
  const restart = () => {
    if (isEnding) return;
    isEnding = true;
    if (frames.isBetween()) sayRestart();
    else setTimeout(drop, REST_MS).unref();
  };
  const siteIsGone = () => {
    if (isOver) return;
    if (backend.isRetired && frames.isBetween() && !frames.isClosed()) runAfterRandomDelay(sayRestart);
    else drop();
  };
  backend.tunnels.add(restart);
  for (const socket of [client, site]) {
    socket.setTimeout(IDLE_MS, drop);
    socket.setNoDelay(true);
  }
  client.on('error', drop).on('close', drop);
  site.on('error', () => {}).on('close', siteIsGone);
  client.pipe(site);
  site.pipe(client, { end: false });
  // The pipe to the client was set up before this listener, so the bytes that the listener sees were already passed on
  // to the client.
  site.on('data', (chunk: Buffer) => {
    frames.read(chunk);
    if (isEnding && frames.isBetween()) sayRestart();
  });
  site.resume();
}
