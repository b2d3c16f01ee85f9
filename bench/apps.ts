import { measureInCluster } from './apps/cluster.ts';
import { measureInContainers } from './apps/containers.ts';
import { measureAsProcesses } from './apps/processes.ts';

// npm run bench -- apps: the time that Simcha adds to a deployment, the cost of a site's own network, the gain of more
// replicas, failed requests during switches, the cost of many sites, and of a machine that dies. With sites as
// processes, as containers of an engine, and in a cluster; `npm run bench -- apps process`, `docker` or `swarm` runs
// one of them.

const [, , , only] = process.argv;
const parts = { process: measureAsProcesses, docker: measureInContainers, swarm: measureInCluster };
if (only !== undefined && !(only in parts)) {
  console.error(
    `npm run bench -- apps <what>, where that is one of: ${Object.keys(parts).join(', ')}; all of them without`,
  );
  process.exit(1);
}
for (const [name, measure] of Object.entries(parts)) if ((only ?? name) === name) await measure();
