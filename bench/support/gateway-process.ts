import { compose } from '../../server/compose.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { createLogger } from '../../server/kernel/log.ts';

// The whole server with two sites on it, for bench/gateway.ts: <port> <origin of a site> <folder of a site> <data folder>.

const [port = '', origin = '', folder = '', dataDir = ''] = process.argv.slice(2);
const config = readConfig({
  PORT: port,
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
});
const simcha = await compose(config, createLogger(config));
await simcha.start();
simcha.sites.set('server', {
  hosts: ['demo.localhost'],
  state: 'live',
  target: { kind: 'server', origin },
});
simcha.sites.set('static', {
  hosts: ['pages.localhost'],
  state: 'live',
  target: { kind: 'static', folder },
});
await simcha.app.listen({ host: '127.0.0.1', port: config.port });
process.on('SIGTERM', () => process.exit(0));
