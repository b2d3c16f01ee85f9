import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { pino } from 'pino';
import type { Traffic } from '../../server/hosting/figures/traffic.ts';
import { Gateway, type GatewayLimits } from '../../server/hosting/gateway/gateway.ts';
import { RoutingTable } from '../../server/hosting/gateway/routing-table.ts';

export interface TestGateway extends AsyncDisposable {
  port: number;
  sites: RoutingTable;
  gateway: Gateway;
  server: Server;
}

/**
 * Starts a gateway on a port of its own. Requests for the platform get a response with the text `platform` and the
 * request as the platform received it.
 */
export async function startGateway(
  options: {
    limits?: Partial<GatewayLimits>;
    trustedProxies?: string[];
    appsDomain?: string;
    publicUrl?: string;
    platform?: RequestListener;
    traffic?: Traffic;
  } = {},
): Promise<TestGateway> {
  const sites = new RoutingTable();
  const gateway = new Gateway({
    config: {
      publicUrl: options.publicUrl ?? 'http://console.test',
      host: '127.0.0.1',
      appsDomain: options.appsDomain ?? 'apps.test',
      appsPort: undefined,
      platformHosts: [],
      trustedProxies: options.trustedProxies ?? [],
      appsWaitSeconds: 1,
      appsResponseSeconds: 300,
      appsBodyMb: 0,
    },
    sites,
    log: pino({ level: process.env.SIMCHA_TEST_LOG ?? 'silent' }),
    ...(options.traffic && { traffic: options.traffic }),
    ...(options.limits && { limits: options.limits }),
  });
  const server = gateway.commonServer(options.platform ?? tellWhatItSaw);
  const port = await listen(server);
  return {
    port,
    sites,
    gateway,
    server,
    async [Symbol.asyncDispose]() {
      sites.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

const tellWhatItSaw: RequestListener = (incoming, response) => {
  response.setHeader('x-answered-by', 'platform');
  response.end(`platform ${incoming.headers.host} ${incoming.url}`);
};

export interface TestSite extends AsyncDisposable {
  origin: string;
  server: Server;
  target: { kind: 'server'; origin: string };
}

/** Starts an HTTP server that plays a site behind the gateway. */
export async function startSite(answer: RequestListener): Promise<TestSite> {
  const server = createServer(answer);
  const origin = `http://127.0.0.1:${await listen(server)}`;
  return {
    origin,
    server,
    target: { kind: 'server', origin },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Starts a site that sends raw bytes: `converse` gets each connection to it. */
export async function startRawSite(converse: (socket: Socket, nth: number) => void) {
  const sockets = new Set<Socket>();
  let nth = 0;
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    nth += 1;
    converse(socket, nth);
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;
  return {
    origin,
    target: { kind: 'server', origin } as const,
    connections: () => nth,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

export interface GatewayAnswer {
  status: number;
  statusMessage: string;
  headers: IncomingMessage['headers'];
  rawHeaders: string[];
  body: Buffer;
  text: string;
}

/** Requests a page from the gateway on `port`, like a browser that knows the site under the name `host`. */
export async function askGateway(
  port: number,
  host: string,
  path = '/',
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string | string[]>; body?: string | Buffer } = {},
): Promise<GatewayAnswer> {
  const outgoing = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    agent: false,
    headers: { host, ...headers },
  });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  return {
    status: response.statusCode ?? 0,
    statusMessage: response.statusMessage ?? '',
    headers: response.headers,
    rawHeaders: response.rawHeaders,
    body: whole,
    text: whole.toString(),
  };
}

/** Sends bytes on a connection and returns all bytes that come back until the other side closes. */
export async function exchangeBytes(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1');
  socket.on('data', (text) => {
    answer += text;
  });
  socket.on('error', () => {});
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return answer;
}
