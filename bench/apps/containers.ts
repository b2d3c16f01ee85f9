import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsFor, startEngine, type TestEngine } from '../../test/support/engine.ts';
import { createDeployer, measureReplicas, switchUnderLoad } from './deploys.ts';
import { compareWithDocker } from './docker-comparison.ts';
import { engineTool } from './manual-deployments.ts';

export async function measureInContainers(): Promise<void> {
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
      const tool = await engineTool(engine.socket);
      await compareWithDocker(deployer, { tool, image: settings.APPS_IMAGE_NODE ?? '', scratch });
      await measureReplicas(deployer, [1, 4]);
      await switchUnderLoad(deployer);
    } finally {
      await deployer.server.stop();
      await rm(scratch, { recursive: true, force: true });
    }
  } finally {
    await engine[Symbol.asyncDispose]();
  }
}
