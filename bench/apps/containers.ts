import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsFor, startEngine, type TestEngine } from '../../test/support/engine.ts';
import { besideDocker } from './beside-docker.ts';
import { atEngine } from './by-hand.ts';
import { createDeployer, moreReplicas, switchUnderLoad } from './deploys.ts';

export async function inContainers(): Promise<void> {
  let engine: TestEngine;
  try {
    engine = await startEngine();
  } catch (error) {
    const [last] = (error as Error).message.trim().split('\n').slice(-1);
    console.log(`\nSites as containers are passed over: dockerd does not start here (${last})`);
    return;
  }
  try {
    const settings = await settingsFor(engine);
    const deployer = await createDeployer(settings);
    const scratch = await mkdtemp(join(tmpdir(), 'simcha-bench-containers-'));
    try {
      console.log('\nDeploying as containers\n');
      const tool = await atEngine(engine.socket);
      await besideDocker(deployer, { tool, image: settings.APPS_IMAGE_NODE ?? '', scratch });
      await moreReplicas(deployer, [1, 4]);
      await switchUnderLoad(deployer);
    } finally {
      await deployer.server.stop();
      await rm(scratch, { recursive: true, force: true });
    }
  } finally {
    await engine[Symbol.asyncDispose]();
  }
}
