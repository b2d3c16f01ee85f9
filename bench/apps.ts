import { measureInCluster } from './apps/cluster.ts';
import { measureInContainers } from './apps/containers.ts';
import { measureAsProcesses } from './apps/processes.ts';
import { chosenPart } from './support/chosen-part.ts';

// npm run bench -- apps: measures sites on this server. How much time Simcha adds to a deployment, what a site's own
// network costs, what more replicas gain, how many requests fail during switches, what many sites cost, and what
// happens when a machine dies. It runs sites as processes, as containers of an engine, and in a cluster; `npm run bench
// -- apps process`, `docker` or `swarm` measures one of these.

const parts = { process: measureAsProcesses, docker: measureInContainers, swarm: measureInCluster };
const only = chosenPart(Object.keys(parts));
for (const [name, measure] of Object.entries(parts)) if ((only ?? name) === name) await measure();
