import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApplicationClient, versionSite } from '../../test/support/deployed.ts';
import { createRepository, filesOf, type TestRepository } from '../../test/support/git.ts';
import { formatNumber, formatTable } from '../support/measure.ts';
import { compareWithManual, type Deployer, measureUnchanged, ROUNDS, WARM_UP } from './deploys.ts';
import { type DeployTool, deployManually } from './manual-deployments.ts';

const EXAMPLES = new URL('../../examples/', import.meta.url).pathname;
const NODE = 'WORKDIR /app\nENV HOST=0.0.0.0 PORT=8080';
const START = 'CMD ["node", "server.js"]';
/** Dockerfile as an expert writes it: packages are a layer that stays as long as the lockfile does. */
const IN_LAYERS = `${NODE}
COPY package.json package-lock.json ./
RUN npm ci --include=dev
COPY . .
RUN npm run build
${START}`;
/** Pause between two deployments, in which the engine removes everything that belonged to the previous one. */
const REST_MS = 4_000;
/** Dockerfile that installs the packages at each build, from a local cache. */
const EACH_TIME = `${NODE}
COPY . .
RUN npm ci --include=dev --prefer-offline --cache .npm && npm run build
${START}`;

interface Site {
  name: string;
  app: ApplicationClient;
  repository: TestRepository;
  /**
   * Text of the Dockerfile for the build by hand, from the line after FROM; missing if the repository has a Dockerfile.
   */
  dockerfile?: string;
  /** Files of the site that each measured commit changes, besides `round.txt`. */
  changes?: (round: number) => Record<string, string>;
}

/**
 * Compares the time from POST to live with the time of the same deployment by hand, for each kind of site, on the base
 * image `image`. Then measures changes that need no new commit.
 */
export async function compareWithDocker(
  deployer: Deployer,
  { tool, image, scratch }: { tool: DeployTool; image: string; scratch: string },
): Promise<void> {
  // Simcha deploys the example without its worker, because the build by hand has none either.
  const { Procfile: _worker, ...example } = await filesOf(join(EXAMPLES, 'node'));
  await using staticSite = await createRepository(await filesOf(join(EXAMPLES, 'static')));
  await using plainSite = await createRepository(versionSite('0'));
  await using nodeSite = await createRepository(example);
  await using layeredSite = await createRepository(example);
  await using ownSite = await createRepository({ ...example, Dockerfile: `FROM ${image}\n${IN_LAYERS}\n` });
  const site = async (
    name: string,
    repository: TestRepository,
    further: Pick<Site, 'dockerfile' | 'changes'> = {},
  ): Promise<Site> => ({ name, repository, app: await deployer.create(repository), ...further });
  const manifest = JSON.parse(example['package.json'] ?? '{}');
  const changes = (round: number) => ({
    'package.json': JSON.stringify({ ...manifest, version: `1.0.${round + WARM_UP}` }),
  });
  const server = 'CMD ["httpd", "-f", "-p", "8080", "-h", "/site"]';
  const layered = await site('Node example', layeredSite, { dockerfile: IN_LAYERS });
  const sites = [
    await site('static example', staticSite, { dockerfile: `COPY . /site\n${server}` }),
    await site('Node.js without packages', plainSite, { dockerfile: `${NODE}\nCOPY . .\n${START}` }),
    layered,
    await site('Node example, packages installed anew', nodeSite, { dockerfile: EACH_TIME, changes }),
    await site('Node example by its own Dockerfile', ownSite),
  ];
  console.log(
    `Milliseconds; by hand: ${tool.name}, until the first 200; the median of ${ROUNDS} rounds, each of a new\n` +
      `commit, after ${WARM_UP} that warm up and ${REST_MS / 1_000} seconds’ rest. Both have the base image at hand, and packages for as long as the lockfile stays: by hand as a layer of\n` +
      'Docker’s. Those that are installed anew come from a folder of the source by hand, and from a volume by us.\n',
  );
  const rows: string[][] = [];
  for (const { name, app, repository, dockerfile, changes } of sites) {
    const text = dockerfile && `FROM ${image}\n${dockerfile}\n`;
    const turn = await deployManually(tool, scratch, {
      address: repository.address,
      key: app.uuid,
      dockerfile: text,
    });
    const turns = { byHand: turn.deploy, byUs: () => deployer.toLive(app) };
    const prepare = async (round: number) => {
      await turn.clear();
      await sleep(REST_MS);
      await repository.commit({ 'round.txt': `${name} ${round}`, ...changes?.(round) });
    };
    rows.push(await compareWithManual(name, turns, prepare));
    await turn.clear();
  }
  console.log(formatTable(['', 'docker by hand', 'POST to live', 'more', 'ratio'], rows));
  console.log(
    `\nLoad of the machine: ${loadavg()
      .map((one) => formatNumber(one, 1))
      .join(', ')}`,
  );
  await measureUnchanged('Node example', deployer, layered.app);
}
