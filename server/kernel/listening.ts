import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Config, ConfigError } from './config.ts';

/** Throws a ConfigError if the server can't listen on this port. */
export async function tryPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const probe = createServer((socket) => socket.destroy()).listen(port, host);
  await once(probe, 'listening').catch((error) => {
    throw listenProblem(error, host, 'PORT', port);
  });
  probe.close();
  await once(probe, 'close');
}

/** Describes in one sentence why the server can't listen on an address. */
export function listenProblem(
  error: NodeJS.ErrnoException,
  host: string,
  setting: string,
  port: number | undefined,
): Error {
  const { code = '', syscall } = error;
  if (syscall === 'getaddrinfo') return new ConfigError(`HOST is "${host}", which no name server knows.`);
  if (syscall !== 'listen') return error;
  const why =
    { EADDRINUSE: 'is already in use', EACCES: 'this user may not listen on' }[code] ??
    `can’t be listened on (${code})`;
  return new ConfigError(
    `${setting} is ${port}, which ${why} at ${host}; set another one${code === 'EADDRINUSE' ? ', or stop the process that listens there' : ''}.`,
  );
}
