import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { PortHandler } from './client-connection.ts';
import { ClientConnections } from './client-connections.ts';
import type { PlatformStream } from './platform-stream.ts';

/** Recipient of the requests to sites on the common port. */
export type SitesHandler = Pick<PortHandler, 'limits' | 'recipientOf' | 'answer' | 'upgrade' | 'refuse'>;

export interface CommonServerParts {
  port: SitesHandler;
  platform(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * HTTP server of the port that the platform and the sites share. The gateway reads every request; node's part of the
 * server gets those to the platform, over a stream in place of the client's connection.
 */
export class CommonServer extends Server {
  readonly #connections: ClientConnections;

  constructor({ port, platform }: CommonServerParts) {
    super(
      // Time limits of heads and of idle connections are the gateway's; large uploads may take long, and those to the
      // platform have their own pace check.
      { keepAliveTimeout: port.limits.idleMs, requestTimeout: 0, headersTimeout: 0 },
      (request, response) => {
        const socket = request.socket as unknown as PlatformStream;
        response.on('close', () => socket.answered());
        platform(request, response);
      },
    );
    const [connectNode] = this.listeners('connection');
    this.removeAllListeners('connection');
    this.#connections = new ClientConnections({
      ...port,
      // Node's server takes any stream as a connection.
      connectPlatform: (stream) => connectNode?.call(this, stream as unknown as Socket),
      // The platform has its own answers to invalid requests.
      refuse: (error, socket) => {
        if (!this.emit('clientError', error, socket)) port.refuse(error, socket);
      },
    });
    this.on('connection', (socket: Socket) => this.#connections.add(socket));
  }

  override closeIdleConnections(): void {
    this.#connections.endIdle();
  }

  override closeAllConnections(): void {
    this.#connections.destroyAll();
  }
}
