import { composeSimcha } from '../../server/compose.ts';
import { AccessLog } from '../../server/hosting/access-log/access-log.ts';
import { Gateway } from '../../server/hosting/gateway/gateway.ts';
import { RoutingTable } from '../../server/hosting/gateway/routing-table.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { createLogger } from '../../server/kernel/log.ts';

// Process for bench/gateway.ts: two sites behind the whole server, or behind a gateway that shares its port with
// others. Arguments: whole|gateway <port> <origin of a site> <folder of a site> <data folder>.

const [what, port = '', origin = '', folder = '', dataDir = ''] = process.argv.slice(2);
const config = readConfig({ PORT: port, DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
const log = createLogger(config);
if (what === 'whole') {
  const simcha = await composeSimcha(config, log);
  await simcha.start();
  addSites(simcha.sites);
  await simcha.app.listen({ host: '127.0.0.1', port: config.port });
} else {
  // Lines of the access log are made as ever, but not written to a database.
  const accessLog = new AccessLog({ put() {} });
  const sites = new RoutingTable();
  const gateway = new Gateway({ config, sites, accessLog, log });
  addSites(sites);
  await gateway.listen('127.0.0.1', config.port, { shared: true });
}
process.on('SIGTERM', () => process.exit(0));

function addSites(sites: RoutingTable): void {
  sites.set('server', {
    routes: [{ host: 'demo.localhost' }],
    state: 'live',
    targets: [{ kind: 'server', origin }],
  });
  sites.set('static', {
    routes: [{ host: 'pages.localhost' }],
    state: 'live',
    targets: [{ kind: 'static', folder }],
  });
}
