import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerHeaders, type ClientRequest, upgradeHead } from './headers.ts';
import type { AnswerHead } from './response-parser.ts';
import type { Door } from './sites.ts';
import type { Exchange, Receiver, Upstream } from './upstream.ts';

const IDLE_MS = 3_600_000;

export interface TunnelParts {
  host: string;
  ours: readonly string[];
  /** A `Set-Cookie` of ours for the visitor. */
  cookie: string | undefined;
  /** The site did not take the WebSocket, and said nothing that could be passed on. */
  fail(error: Error): void;
}

/**
 * Asks the site for a WebSocket and joins the two sockets once it agrees. What it says instead (401, 404, …) goes to
 * the client as it is, and closes the connection.
 */
export function openTunnel(
  request: ClientRequest,
  client: Duplex,
  early: Buffer,
  door: Door,
  upstream: Upstream,
  { host, ours, cookie, fail }: TunnelParts,
): void {
  let answering = false;
  const head = (answer: AnswerHead, connection: string) => {
    const headers = answerHeaders(answer, host, ours, request.toFellow);
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
      join(client as Socket, site, door);
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

/** The two sockets become one; when either ends, so does the other, and a drain ends both. */
function join(client: Socket, site: Socket, door: Door): void {
  const end = () => {
    door.tunnels.delete(end);
    client.destroySoon();
    site.destroySoon();
  };
  door.tunnels.add(end);
  for (const socket of [client, site]) {
    socket.setTimeout(IDLE_MS, end);
    socket.setNoDelay(true);
    socket.on('error', end);
    socket.on('close', end);
  }
  client.pipe(site);
  site.pipe(client);
  site.resume();
}
