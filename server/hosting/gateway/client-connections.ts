import type { Socket } from 'node:net';
import { ClientConnection, type PortHandler } from './client-connection.ts';

/** Number of looks for late connections within the shortest time limit. */
const LOOKS = 12;

/** Open connections of one port. */
export class ClientConnections {
  readonly #open = new Set<ClientConnection>();
  readonly #port: PortHandler;
  readonly #lookMs: number;
  /** Timer that looks for late connections; undefined while there are no connections. */
  #timer: NodeJS.Timeout | undefined;

  constructor(port: Omit<PortHandler, 'onEnd'>) {
    this.#port = { ...port, onEnd: (connection) => this.#remove(connection) };
    this.#lookMs = Math.min(port.limits.headMs, port.limits.idleMs) / LOOKS;
  }

  add(socket: Socket): void {
    this.#open.add(new ClientConnection(socket, this.#port));
    this.#timer ??= setInterval(() => this.#look(), this.#lookMs).unref();
  }

  /** Closes the connections without an open request. */
  endIdle(): void {
    for (const connection of this.#open) connection.endIfIdle();
  }

  destroyAll(): void {
    for (const { socket } of this.#open) socket.destroy();
  }

  #look(): void {
    const now = performance.now();
    for (const connection of this.#open) connection.endIfLate(now);
  }

  #remove(connection: ClientConnection): void {
    this.#open.delete(connection);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
