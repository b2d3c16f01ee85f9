import { inCluster } from './apps/cluster.ts';
import { inContainers } from './apps/containers.ts';
import { asProcesses } from './apps/processes.ts';

// npm run bench -- apps: what Simcha adds to a deploy, what a network of its own costs a site's page, what more replicas
// bring, what a switch costs visitors, what many sites cost, and what a machine costs that dies. As processes, as containers of an
// engine, and in a cluster; `npm run bench -- apps process`, `docker` or `swarm` for one of them.

const [, , , only] = process.argv;
const parts = { process: asProcesses, docker: inContainers, swarm: inCluster };
if (only !== undefined && !(only in parts)) {
  console.error(
    `npm run bench -- apps <what>, where that is one of: ${Object.keys(parts).join(', ')}; all of them without`,
  );
  process.exit(1);
}
for (const [name, measure] of Object.entries(parts)) if ((only ?? name) === name) await measure();
