import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FinishedRequest, Traffic } from '../figures/traffic.ts';
import type { RoutingTable } from './routing-table.ts';

/** Status of a request whose client went away before its response began, as nginx logs it. */
const CLIENT_CLOSED = 499;

/** Key under which a connection stores the bytes that earlier requests on it have been counted with. */
const COUNTED = Symbol('counted bytes');

interface CountedBytes {
  in: number;
  out: number;
}

interface Connection {
  readonly bytesRead: number;
  readonly bytesWritten: number;
  [COUNTED]?: CountedBytes;
}

/** Meter of requests to sites: counts each one when its response has ended. */
export class TrafficMeter {
  readonly #traffic: Traffic;
  readonly #sites: Pick<RoutingTable, 'find'>;

  constructor(traffic: Traffic, sites: Pick<RoutingTable, 'find'>) {
    this.#traffic = traffic;
    this.#sites = sites;
  }

  /** Counts a request to the site of `host` when its response has ended or its client has gone. */
  watch(host: string, request: IncomingMessage, response: ServerResponse, startedAt: number): void {
    response.on('close', () => {
      const status = response.headersSent ? response.statusCode : CLIENT_CLOSED;
      this.#count(host, request.socket as unknown as Connection, status, startedAt);
    });
  }

  /**
   * Counts a request for a WebSocket when its connection has ended. Returns a function that must get the status of the
   * answer.
   */
  watchUpgrade(host: string, client: Duplex): (status: number) => void {
    const startedAt = performance.now();
    let answered = CLIENT_CLOSED;
    client.once('close', () => this.#count(host, client as unknown as Connection, answered, startedAt));
    return (status) => {
      answered = status;
    };
  }

  #count(host: string, connection: Connection, status: number, startedAt: number): void {
    const site = this.#sites.find(host);
    if (!site) return;
    const finished: FinishedRequest = {
      status,
      ms: performance.now() - startedAt,
      bytesIn: 0,
      bytesOut: 0,
    };
    countBytes(connection, finished);
    this.#traffic.count(site.environmentId, finished);
  }
}

/** Counts the bytes that a connection has transferred since its last request. */
function countBytes(connection: Connection, finished: FinishedRequest): void {
  const { bytesRead, bytesWritten } = connection;
  const counted = connection[COUNTED];
  if (counted) {
    finished.bytesIn = bytesRead - counted.in;
    finished.bytesOut = bytesWritten - counted.out;
    counted.in = bytesRead;
    counted.out = bytesWritten;
  } else {
    finished.bytesIn = bytesRead;
    finished.bytesOut = bytesWritten;
    connection[COUNTED] = { in: bytesRead, out: bytesWritten };
  }
}
