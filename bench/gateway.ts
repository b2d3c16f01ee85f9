import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../test/support/postgres.ts';
import { processorSecondsOf } from '../test/support/processor-time.ts';
import { formatNumber, formatTable, type Measured, meanOf } from './support/measure.ts';

// Requests for one small page of a site over 64 connections: directly to the site's server, and through this gateway,
// one gateway for each core on one port, one byte-forwarding node process for each core, Debian's nginx with as many
// workers, and Debian's Caddy; then for the same page as a file. All in one run, in turns.

const CONNECTIONS = 64;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** Most that a gateway may cost beside nginx: ratio of their processor times, and difference of their p99 in milliseconds. */
const WANTED = { processor: 1.6, p99: 5 };
const CORES = availableParallelism();
const OURS = `Simcha, ${CORES} gateways`;
const RELAY = `node, ${CORES} processes, bytes alone`;
const PAGE = `<!doctype html><title>Site</title><p>${'A page of a site behind the gateway. '.repeat(20)}`;

const TOOLS = { nginx: '/usr/sbin/nginx', caddy: '/usr/bin/caddy', wrk: '/usr/bin/wrk' };
const missing = Object.entries(TOOLS).filter(([, file]) => !existsSync(file));
if (missing.length > 0) {
  console.error(
    `This benchmark needs Debian's ${missing.map(([name]) => name).join(', ')}. Install with:\n` +
      '  apt-get install -y --no-install-recommends nginx-light caddy wrk',
  );
  process.exit(1);
}

const folder = await mkdtemp(join(tmpdir(), 'simcha-bench-gateway-'));
// The folder with the page that all proxies serve is readable for all users, because nginx runs as a different user.
await chmod(folder, 0o755);
const children: ChildProcess[] = [];
try {
  const started = await startAll();
  console.log(
    `${cpus().length} cores, ${cpus()[0]?.model.trim()}; node ${process.version}; ${CONNECTIONS} connections, ` +
      `${ROUNDS} rounds of ${SECONDS} s each; the load generator (wrk) and the site share the machine`,
  );
  await compare('A server’s page', PAGE.length, [
    { name: 'the site itself', ...started.site, host: 'demo.localhost' },
    { name: 'Simcha', ...started.whole, host: 'demo.localhost' },
    { name: OURS, ...started.gateways, host: 'demo.localhost' },
    { name: RELAY, ...started.relays, host: 'demo.localhost' },
    { name: 'nginx', ...started.nginx, host: 'demo.localhost' },
    { name: 'Caddy', ...started.caddy, host: 'demo.localhost' },
  ]);
  await compare('The same as a file', PAGE.length, [
    { name: 'Simcha', ...started.whole, host: 'pages.localhost' },
    { name: OURS, ...started.gateways, host: 'pages.localhost' },
    { name: 'nginx', ...started.nginx, host: 'pages.localhost' },
    { name: 'Caddy', ...started.caddy, host: 'pages.localhost' },
  ]);
} finally {
  await Promise.all(children.map(stopped));
  await rm(folder, { recursive: true, force: true });
}

interface Contestant {
  name: string;
  port: number;
  host: string;
  processes: ChildProcess[];
}

async function compare(title: string, size: number, contestants: Contestant[]): Promise<void> {
  for (const { port, host } of contestants) await checkAnswer(port, host, size);
  const rounds = new Map<string, (Measured & { cpu: number })[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { name, port, host, processes } of contestants) {
      const before = cpuOf(processes);
      const measured = await load(port, host, round === 0 ? 1 : SECONDS);
      const cpu = (cpuOf(processes) - before) / measured.requests;
      // The first measurement of each proxy is a warm-up and does not count.
      if (round > 0) rounds.get(name)?.push({ ...measured, cpu });
    }
  }
  const results = contestants.map((one) => {
    const measured = rounds.get(one.name) ?? [];
    return { ...one, ...meanOf(measured), cpu: measured.reduce((sum, { cpu }) => sum + cpu, 0) / ROUNDS };
  });
  const ours = results.find(({ name }) => name === OURS);
  const rows = results.map(({ name, perSecond, p50, p99, cpu }) => [
    name,
    formatNumber(perSecond),
    formatNumber(p50, 2),
    formatNumber(p99, 2),
    formatNumber(cpu * 1e6, 1),
    ((ours?.perSecond ?? 0) / perSecond).toFixed(2),
  ]);
  console.log(`\n${title}; times in ms; the ratio is that of the gateways’ requests a second to this one’s`);
  console.log(formatTable(['', 'requests/s', 'p50', 'p99', 'CPU µs', 'ratio'], rows));
  const nginx = results.find(({ name }) => name === 'nginx');
  if (!ours || !nginx) return;
  const processor = ours.cpu / nginx.cpu;
  const later = ours.p99 - nginx.p99;
  const verdict = processor > WANTED.processor || later > WANTED.p99 ? 'MISSED' : 'Reached';
  console.log(
    `${verdict}: ${processor.toFixed(2)} of nginx’s processor time (at most ${WANTED.processor} wanted), ` +
      `p99 ${formatNumber(later, 1)} ms later (at most ${WANTED.p99})`,
  );
}

async function load(port: number, host: string, seconds: number): Promise<Measured & { requests: number }> {
  const { stdout } = await promisify(execFile)(TOOLS.wrk, [
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${seconds}s`,
    '--latency',
    '-H',
    `Host: ${host}`,
    `http://127.0.0.1:${port}/`,
  ]);
  const wrong = /Non-2xx.*|Socket errors.*/.exec(stdout)?.[0];
  if (wrong) throw new Error(`${host} on ${port}: ${wrong}`);
  return {
    requests: Number(/(\d+) requests in/.exec(stdout)?.[1]),
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p50: milliseconds(stdout, '50%'),
    p99: milliseconds(stdout, '99%'),
  };
}

/** CPU seconds of processes and their children. They show the cost of a request, however busy the machine is. */
function cpuOf(processes: readonly ChildProcess[]): number {
  return processes.reduce((sum, { pid }) => sum + processorSecondsOf(pid ?? 0), 0);
}

function milliseconds(output: string, share: string): number {
  const [, value, unit = ''] = new RegExp(`${share}\\s+([\\d.]+)(us|ms|s)\\b`).exec(output) ?? [];
  return Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN);
}

/** Checks that all measured proxies serve the same body. */
async function checkAnswer(port: number, host: string, size: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const length = await bodyLength(port, host).catch(() => -1);
    if (length === size) return;
    if (Date.now() > deadline) throw new Error(`${host} on ${port} answers ${length} bytes, not ${size}`);
    await sleep(50);
  }
}

function bodyLength(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, headers: { host }, agent: false }, (response) => {
      let length = 0;
      response.on('data', (chunk) => {
        length += chunk.length;
      });
      response.on('end', () => resolve(response.statusCode === 200 ? length : -1));
    });
    outgoing.on('error', reject).end();
  });
}

async function startAll() {
  const ports = await Promise.all(Array.from({ length: 6 }, () => freePort()));
  const [site = 0, whole = 0, shared = 0, relayed = 0, nginx = 0, caddy = 0] = ports;
  const pages = join(folder, 'pages');
  await mkdir(pages);
  await writeFile(join(pages, 'index.html'), PAGE);
  // The site's own server must cost next to nothing, so that the differences come from the proxies.
  const siteProcess = await startNginx('site', `server { listen 127.0.0.1:${site}; root ${pages}; }`);
  const nginxProcess = await startNginx(
    'proxy',
    `upstream site { server 127.0.0.1:${site}; keepalive 128; keepalive_requests 100000000; }
    server {
      listen 127.0.0.1:${nginx};
      server_name demo.localhost;
      location / {
        proxy_pass http://site;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Host $http_host;
        proxy_set_header X-Forwarded-Proto $scheme;
      }
    }
    server { listen 127.0.0.1:${nginx}; server_name pages.localhost; root ${pages}; }`,
  );
  const caddyfile = join(folder, 'Caddyfile');
  await writeFile(
    caddyfile,
    `{
  admin off
  auto_https off
  log {
    level ERROR
  }
}
http://demo.localhost:${caddy} {
  reverse_proxy 127.0.0.1:${site}
}
http://pages.localhost:${caddy} {
  root * ${pages}
  file_server
}
`,
  );
  const caddyProcess = start(TOOLS.caddy, ['run', '--config', caddyfile, '--adapter', 'caddyfile']);
  const ours = (file: string, args: string[]) =>
    start(process.execPath, [new URL(`support/${file}`, import.meta.url).pathname, ...args]);
  const simcha = (what: 'whole' | 'gateway', port: number) =>
    ours('gateway-process.ts', [what, String(port), `http://127.0.0.1:${site}`, pages, join(folder, 'data')]);
  const forEachCore = (one: () => ChildProcess) => Array.from({ length: CORES }, one);
  return {
    site: { port: site, processes: [siteProcess] },
    whole: { port: whole, processes: [simcha('whole', whole)] },
    gateways: { port: shared, processes: forEachCore(() => simcha('gateway', shared)) },
    relays: {
      port: relayed,
      processes: forEachCore(() => ours('relay.ts', [String(relayed), String(site)])),
    },
    nginx: { port: nginx, processes: [nginxProcess] },
    caddy: { port: caddy, processes: [caddyProcess] },
  };
}

async function startNginx(name: string, servers: string): Promise<ChildProcess> {
  const config = join(folder, `${name}.conf`);
  await writeFile(
    config,
    `worker_processes auto; daemon off; pid ${folder}/${name}.pid; error_log ${folder}/${name}.log;
events { worker_connections 4096; }
http {
  access_log off; include /etc/nginx/mime.types; sendfile on; open_file_cache max=100;
  keepalive_requests 100000000; client_body_temp_path ${folder}/${name}-body; proxy_temp_path ${folder}/${name}-proxy;
  ${servers}
}
`,
  );
  return start(TOOLS.nginx, ['-c', config]);
}

function start(command: string, args: string[]): ChildProcess {
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const quiet = command === TOOLS.caddy;
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', quiet ? 'ignore' : 'inherit'], env });
  children.push(child);
  return child;
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
