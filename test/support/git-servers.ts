import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { deflateSync } from 'node:zlib';
import { createRepository, GIT_ENV } from './git.ts';

export interface SharedRepository extends AsyncDisposable {
  folder: string;
  /** Path of the bare copy of the repository. */
  bare: string;
  commit(files: Record<string, string>, message?: string): Promise<string>;
  /** Makes the bare repository's main branch consist of a single submodule; returns the commit's hash. */
  point(path: string, hash: string, url: string): string;
}

/** Makes a repository with a bare copy, which a git server shares. */
export async function createShared(files: Record<string, string>): Promise<SharedRepository> {
  const origin = await createRepository(files);
  const folder = await mkdtemp(join(tmpdir(), 'simcha-shared-'));
  const bare = join(folder, 'site.git');
  execFileSync('git', ['clone', '--quiet', '--bare', origin.address, bare]);
  return {
    folder,
    bare,
    async commit(changes, message) {
      const hash = await origin.commit(changes, message);
      execFileSync('git', ['-C', bare, 'fetch', '--quiet', 'origin', 'main:main']);
      return hash;
    },
    point(path, hash, url) {
      const git = (args: string[], input = '') =>
        execFileSync('git', ['-C', bare, ...args], { input, env: GIT_ENV, encoding: 'utf8' }).trim();
      const text = `[submodule "${path}"]\n\tpath = ${path}\n\turl = ${url}\n`;
      const blob = git(['hash-object', '-w', '--stdin'], text);
      const tree = git(
        ['mktree', '--missing'],
        `100644 blob ${blob}\t.gitmodules\n160000 commit ${hash}\t${path}\n`,
      );
      const author = ['-c', 'user.name=Noa', '-c', 'user.email=noa@example.com'];
      const commit = git([...author, 'commit-tree', '-m', url, tree]);
      git(['update-ref', 'refs/heads/main', commit]);
      return commit;
    },
    async [Symbol.asyncDispose]() {
      await origin[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface SshServer extends AsyncDisposable {
  port: number;
  user: string;
  /** Replaces the public keys with which users may log in to the SSH server. */
  authorize(...keys: string[]): Promise<void>;
  /** Restarts the SSH server with another host key. */
  changeHostKey(): Promise<void>;
}

/** Starts OpenSSH's own server on loopback, for this user, with a host key of its own. It runs only git. */
export async function startSsh(): Promise<SshServer> {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-sshd-'));
  const port = await freePort();
  const hostKey = join(folder, 'host_key');
  const authorized = join(folder, 'authorized_keys');
  const config = join(folder, 'config');
  await writeFile(authorized, '');
  await writeFile(
    config,
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${hostKey}`,
      'PidFile none',
      `AuthorizedKeysFile ${authorized}`,
      'StrictModes no',
      'UsePAM no',
      'PermitRootLogin prohibit-password',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'ForceCommand git-shell -c "$SSH_ORIGINAL_COMMAND"',
      '',
    ].join('\n'),
  );
  // Debian's SSH service creates this directory when it starts; sshd needs the directory if root runs it.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });

  const start = async () => {
    await rm(hostKey, { force: true });
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', hostKey]);
    const child = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', config], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (text) => {
        said += text;
        if (said.includes('Server listening')) resolve();
      });
      child.on('exit', () => reject(new Error(`sshd: ${said}`)));
    });
    return child;
  };
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, 'exit');
  };
  let child = await start();
  return {
    port,
    user: userInfo().username,
    authorize: (...keys) => writeFile(authorized, keys.map((key) => `${key}\n`).join('')),
    async changeHostKey() {
      await stop();
      child = await start();
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface HttpsGitServer extends AsyncDisposable {
  port: number;
  /** File of the server's certificate. Since it is signed by itself, clients also need it as certificate authority. */
  caFile: string;
  /** Paths of the requests that the git server got. */
  asked: string[];
}

/**
 * Starts git's own HTTP server behind TLS on loopback, for `localhost` and `git.simcha.test`. `/open` has the
 * repositories of `root`, `/private` the same for one login, and `/moved` redirects to `/open` under another host name.
 * `/withholding` speaks only the first version of git's protocol, and sends no commit by its hash.
 */
export async function startHttpsGit(root: string, login: string): Promise<HttpsGitServer> {
  const folder = await mkdtemp(join(tmpdir(), 'simcha-https-'));
  const caFile = join(folder, 'certificate.pem');
  const keyFile = join(folder, 'key.pem');
  const names = 'DNS:localhost,DNS:git.simcha.test,IP:127.0.0.1';
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      `subjectAltName=${names}`,
      '-keyout',
      keyFile,
      '-out',
      caFile,
    ],
    { stdio: 'ignore' },
  );
  const asked: string[] = [];
  const expected = `Basic ${Buffer.from(login).toString('base64')}`;
  const port = () => (server.address() as AddressInfo).port;
  const server = createHttpsServer(
    { cert: await readFile(caFile), key: await readFile(keyFile) },
    (request, response) => {
      const [, place, rest = ''] = /^\/(open|private|moved|withholding)(\/.*)/.exec(request.url ?? '') ?? [];
      asked.push(request.url ?? '');
      if (place === 'private' && request.headers.authorization !== expected) {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      } else if (place === 'moved') {
        response.writeHead(302, { location: `https://127.0.0.1:${port()}/open${rest}` }).end();
      } else serve(root, rest, request, response, place === 'withholding');
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: port(),
    caFile,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Passes a request to git-http-backend, a CGI program, and sends its output as the response. */
function serve(
  root: string,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  isOld: boolean,
): void {
  const { pathname, search } = new URL(path, 'https://localhost');
  const header = (name: string) => String(request.headers[name] ?? '');
  const child = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: isOld ? '' : header('git-protocol'),
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: header('content-type'),
      HTTP_CONTENT_ENCODING: header('content-encoding'),
      REMOTE_ADDR: request.socket.remoteAddress,
      ...(request.headers['content-length'] && { CONTENT_LENGTH: request.headers['content-length'] }),
    },
  });
  request.pipe(child.stdin);
  child.stdin.on('error', () => {});
  let head = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    if (response.headersSent) return response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    const lines = head.subarray(0, end).toString().split('\r\n');
    const headers = lines.map((line) => line.split(/: */, 2) as [string, string]);
    const status = headers.find(([name]) => name.toLowerCase() === 'status')?.[1] ?? '200';
    response.writeHead(
      Number.parseInt(status, 10),
      Object.fromEntries(headers.filter(([name]) => name !== 'Status')),
    );
    response.write(head.subarray(end + 4));
  });
  child.on('close', () => response.end());
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export interface HostileServer extends AsyncDisposable {
  address: string;
}

/** Git server whose list of branches never ends: a client's git keeps the received part in memory. */
export function startEndlessList(): Promise<HostileServer> {
  const block = Buffer.alloc(MEBIBYTE, 'a');
  return startLists((response) => pour(response, block));
}

/**
 * Git server with a long list of branches with long names. After the list it sends nothing more, so several processes
 * of the client hold the list.
 */
export function startLongList(mebibytes: number): Promise<HostileServer> {
  const name = 'a'.repeat(60_000);
  const count = Math.ceil((mebibytes * MEBIBYTE) / name.length);
  return startLists((response) => {
    response.write(
      `${packet('# service=git-upload-pack\n')}0000${packet(`${COMMIT} refs/heads/main\0shallow\n`)}`,
    );
    for (let i = 0; i < count; i += 1) response.write(packet(`${COMMIT} refs/heads/${i}${name}\n`));
    response.end('0000');
  });
}

async function startLists(answer: (response: ServerResponse) => void): Promise<HostileServer> {
  const server = createHttpServer((request, response) => {
    if (request.method !== 'GET') return;
    response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/site.git`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const MEBIBYTE = 2 ** 20;
const COMMIT = 'c0ffee'.padEnd(40, '0');
const packet = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text;

/** Git server whose pack (gitformat-pack(5)) never ends: a client's git writes the pack to the disk as it arrives. */
export async function startEndlessPack(): Promise<HostileServer> {
  const blob = randomBytes(MEBIBYTE);
  const object = Buffer.concat([packSize(3, blob.length), deflateSync(blob)]);
  const header = Buffer.from('PACK\0\0\0\x02\0\x01\0\0');
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let asked = '';
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        const before = asked;
        asked += chunk;
        const now = (text: string) => asked.includes(text) && !before.includes(text);
        if (now('git-upload-pack')) {
          socket.write(`${packet(`${COMMIT} refs/heads/main\0shallow\n`)}0000`);
        }
        if (now('deepen 1')) socket.write(`${packet(`shallow ${COMMIT}\n`)}0000`);
        if (now('0009done\n')) {
          socket.write(packet('NAK\n'));
          socket.write(header);
          pour(socket, object);
        }
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `git://127.0.0.1:${(server.address() as AddressInfo).port}/site.git`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Header of an object in a git pack: its type, and its size in groups of bits, the lowest bits first. */
function packSize(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)];
  for (let rest = size >> 4; rest > 0; rest >>= 7) {
    bytes.push((bytes.pop() ?? 0) | 0x80, rest & 0x7f);
  }
  return Buffer.from(bytes);
}

/** Writes a block of bytes again and again, as fast as the stream accepts the bytes. */
function pour(stream: Writable, block: Buffer): void {
  const more = () => {
    while (!stream.destroyed && stream.write(block));
  };
  stream.on('drain', more).on('error', () => {});
  more();
}
