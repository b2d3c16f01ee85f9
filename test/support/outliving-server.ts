import { composeSimcha } from '../../server/compose.ts';
import { loadEnvironment, readConfig } from '../../server/kernel/config.ts';
import { createLogger } from '../../server/kernel/log.ts';
import { openOutlivingRuntime } from './outliving-runtime.ts';

// Process that runs the platform as `npm start -- platform` does, with a runtime whose sites outlive it.

const config = readConfig(loadEnvironment());
const simcha = await composeSimcha(config, createLogger(config), { openRuntime: openOutlivingRuntime });
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
