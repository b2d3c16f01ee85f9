import { inContainers } from './apps/containers.ts';
import { asProcesses } from './apps/processes.ts';

// npm run bench -- apps: what Simcha adds to a deploy, what a network of its own costs a site's page, what more replicas
// bring, what a switch costs visitors, and what many sites cost. As processes, then as containers of an engine;
// `npm run bench -- apps process` or `docker` for one of both.

const [, , , only] = process.argv;
if (only !== 'docker') await asProcesses();
if (only !== 'process') await inContainers();
