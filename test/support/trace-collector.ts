import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { until } from './until.ts';

type Value = string | number | boolean;

export interface ReceivedSpan {
  traceId: string;
  id: string;
  parent: string;
  name: string;
  /** Kind in OTLP's numbers: 1 internal, 2 server, 3 client, 5 consumer. */
  kind: number;
  attributes: Record<string, Value>;
  events: { name: string; attributes: Record<string, Value> }[];
  /** Status in OTLP's numbers: 2 is an error. */
  status: number;
  resource: Record<string, Value>;
}

export interface TraceCollector extends AsyncDisposable {
  url: string;
  spans: ReceivedSpan[];
  /** Bodies as they came, to look for what must not be in them. */
  bodies: Buffer[];
  headers: IncomingHttpHeaders[];
  /** Waits until a span that fits has come, and returns it. */
  span(fits: (span: ReceivedSpan) => boolean, mostMs?: number): Promise<ReceivedSpan>;
}

/** Starts a receiver of traces by OTLP over HTTP, with bodies in Protocol Buffers. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const isTraces = request.method === 'POST' && request.url === '/v1/traces';
    if (!isTraces || request.headers['content-type'] !== 'application/x-protobuf') {
      response.writeHead(404).end();
      return;
    }
    bodies.push(body);
    headers.push(request.headers);
    spans.push(...readRequest(body));
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    async span(fits, mostMs = 30_000) {
      await until(() => spans.some(fits), mostMs);
      return spans.find(fits) as ReceivedSpan;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Readers = Record<number, (reader: BinaryReader) => void>;

/** Reads a message of Protocol Buffers: each field that has a reader, in the order of the bytes. */
function readMessage(bytes: Uint8Array, fields: Readers): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const read = fields[number];
    if (read) read(reader);
    else reader.skip(wireType, number);
  }
}

// Messages of https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
function readRequest(body: Uint8Array): ReceivedSpan[] {
  const spans: ReceivedSpan[] = [];
  readMessage(body, { 1: (reader) => spans.push(...readResourceSpans(reader.bytes())) });
  return spans;
}

function readResourceSpans(bytes: Uint8Array): ReceivedSpan[] {
  const spans: ReceivedSpan[] = [];
  const resource: Record<string, Value> = {};
  const scope = { 2: (reader: BinaryReader) => spans.push(readSpan(reader.bytes(), resource)) };
  readMessage(bytes, {
    1: (reader) => readMessage(reader.bytes(), { 1: (one) => readAttribute(one.bytes(), resource) }),
    2: (reader) => readMessage(reader.bytes(), scope),
  });
  return spans;
}

function readSpan(bytes: Uint8Array, resource: Record<string, Value>): ReceivedSpan {
  const span: ReceivedSpan = {
    traceId: '',
    id: '',
    parent: '',
    name: '',
    kind: 0,
    attributes: {},
    events: [],
    status: 0,
    resource,
  };
  const hex = (reader: BinaryReader) => Buffer.from(reader.bytes()).toString('hex');
  readMessage(bytes, {
    1: (reader) => (span.traceId = hex(reader)),
    2: (reader) => (span.id = hex(reader)),
    4: (reader) => (span.parent = hex(reader)),
    5: (reader) => (span.name = reader.string()),
    6: (reader) => (span.kind = reader.int32()),
    9: (reader) => readAttribute(reader.bytes(), span.attributes),
    11: (reader) => span.events.push(readEvent(reader.bytes())),
    15: (reader) => readMessage(reader.bytes(), { 3: (one) => (span.status = one.int32()) }),
  });
  return span;
}

function readEvent(bytes: Uint8Array): ReceivedSpan['events'][number] {
  const event = { name: '', attributes: {} };
  readMessage(bytes, {
    2: (reader) => (event.name = reader.string()),
    3: (reader) => readAttribute(reader.bytes(), event.attributes),
  });
  return event;
}

function readAttribute(bytes: Uint8Array, into: Record<string, Value>): void {
  let key = '';
  let value: Value = '';
  readMessage(bytes, {
    1: (reader) => (key = reader.string()),
    2: (reader) =>
      readMessage(reader.bytes(), {
        1: (one) => (value = one.string()),
        2: (one) => (value = one.bool()),
        3: (one) => (value = Number(one.int64())),
        4: (one) => (value = one.double()),
      }),
  });
  into[key] = value;
}
