import { compose } from '../../server/compose.ts';
import { openContainers } from '../../server/hosting/runtimes/open.ts';
import { environment, readConfig } from '../../server/kernel/config.ts';
import { createLogger } from '../../server/kernel/log.ts';
import { openOutliving } from './outliving.ts';

// The platform as `npm start -- platform` has it, with a runtime whose sites outlive it: an engine's, where one is named.

const config = readConfig(environment());
const { ENGINE: socket, ENGINE_IMAGE: node = '' } = process.env;
const openRuntime =
  socket === undefined
    ? openOutliving
    : openContainers({ socket, platform: config.dataDir, images: { node } });
const simcha = await compose(config, createLogger(config), { openRuntime });
process.once('SIGTERM', async () => {
  await simcha.close();
  process.exit(0);
});
await simcha.start();
await simcha.app.listen({
  host: config.host,
  port: config.port,
  listenTextResolver: (address) => `listening on ${address}`,
});
