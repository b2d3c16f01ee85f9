import type { Socket } from 'node:net';
import type { AccessLog } from '../access-log/access-log.ts';
import type { FinishedRequest, Traffic } from '../figures/traffic.ts';
import { clientAddresses } from './client-origin.ts';
import type { IncomingRequest } from './incoming-request.ts';
import type { OutgoingResponse } from './outgoing-response.ts';
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

export interface TrafficMeterParts {
  traffic: Traffic;
  /** Log that lists the requests; undefined: none. */
  accessLog: AccessLog | undefined;
  sites: Pick<RoutingTable, 'find'>;
  trustedProxies: readonly string[];
}

/** Meter of requests to sites: counts each one when its response has ended, and adds it to the access log. */
export class TrafficMeter {
  readonly #parts: TrafficMeterParts;
  readonly #addressOf: (request: IncomingRequest) => string;

  constructor(parts: TrafficMeterParts) {
    this.#parts = parts;
    this.#addressOf = clientAddresses(parts.trustedProxies);
  }

  /** Counts a request to the site of `host` when its response has ended or its client has gone. */
  watch(host: string, request: IncomingRequest, response: OutgoingResponse, startedAt: number): void {
    response.onClose(() => {
      const status = response.hasBegun ? response.status : CLIENT_CLOSED;
      this.#count(host, request, status, startedAt);
    });
  }

  /**
   * Counts a request for a WebSocket when its connection has ended. Returns a function that must get the status of the
   * answer.
   */
  watchUpgrade(host: string, request: IncomingRequest, client: Socket): (status: number) => void {
    const startedAt = performance.now();
    let answered = CLIENT_CLOSED;
    client.once('close', () => this.#count(host, request, answered, startedAt));
    return (status) => {
      answered = status;
    };
  }

  #count(host: string, request: IncomingRequest, status: number, startedAt: number): void {
    const { traffic, accessLog, sites } = this.#parts;
    const environmentId = sites.find(host)?.environmentId;
    if (environmentId === undefined) return;
    const finished: FinishedRequest = {
      status,
      ms: performance.now() - startedAt,
      bytesIn: 0,
      bytesOut: 0,
    };
    countBytes(request.socket, finished);
    traffic.count(environmentId, finished);
    accessLog?.add(environmentId, () => ({
      method: request.method,
      target: request.head.target,
      status,
      ms: finished.ms,
      bytes: finished.bytesOut,
      address: this.#addressOf(request),
    }));
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
