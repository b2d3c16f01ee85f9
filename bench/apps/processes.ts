import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ownMemory, processesMarked, readProcesses } from '../../server/hosting/sandbox/processes.ts';
import { type ApplicationClient, versionSite, visitSite } from '../../test/support/deployed.ts';
import { createRepository, filesOf } from '../../test/support/git.ts';
import { freePort } from '../../test/support/postgres.ts';
import { until } from '../../test/support/until.ts';
import { formatNumber, formatTable, type Measured, meanOf, measureHttp } from '../support/measure.ts';
import {
  compareWithManual,
  createDeployer,
  type Deployer,
  formatMs,
  measureMedian,
  measureReplicas,
  measureTime,
  measureUnchanged,
  ROUNDS,
  switchUnderLoad,
  VISIT_SECONDS,
  WARM_UP,
} from './deploys.ts';

const EXISTING = 200;
const RUNNING = 20;
const EXAMPLES = new URL('../../examples/', import.meta.url).pathname;
/**
 * Event that the example's invitation page shows, with its fields as in the response of `GET /api/events/:id`; the
 * example site gets it in its variable EVENT.
 */
const INVITATION = JSON.stringify({
  title: 'החתונה של נועה ואיתי',
  event_date: '2027-06-15T16:30:00.000Z',
  venue_name: 'גן האירועים',
  venue_address: 'דרך השלום 1, תל אביב',
  rsvp_confirmed: 120,
});

const run = promisify(execFile);

export async function measureAsProcesses(): Promise<void> {
  const deployer = await createDeployer();
  const scratch = await mkdtemp(join(tmpdir(), 'simcha-bench-apps-'));
  try {
    await compareWithShell(deployer, scratch);
    await measureOwnNetwork(deployer);
    await measureReplicas(deployer, [1, 2, 4]);
    await switchUnderLoad(deployer);
    await measureManySites(deployer);
  } finally {
    await deployer.server.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

async function compareWithShell(deployer: Deployer, scratch: string): Promise<void> {
  await using staticSite = await createRepository(await filesOf(join(EXAMPLES, 'static')));
  await using nodeSite = await createRepository(await filesOf(join(EXAMPLES, 'node')));
  const nodeApp = await deployer.create(nodeSite);
  const sites = [
    {
      name: 'static example',
      repository: staticSite,
      app: await deployer.create(staticSite),
      start: (folder: string) => `cat ${folder}/index.html`,
    },
    { name: 'Node example', repository: nodeSite, app: nodeApp, start: startByHand },
  ];
  console.log(
    'Deploying, milliseconds; the median of',
    ROUNDS,
    `rounds, each of a new commit, after ${WARM_UP} that warm up\n`,
  );
  const rows: string[][] = [];
  for (const { name, repository, app, start } of sites) {
    const byHand = async (round: number) => {
      const folder = join(scratch, `${round}-${app.uuid}`);
      const clone = `git clone --quiet --depth 1 ${repository.address} ${folder}`;
      await shell(`${clone} && ${await start(folder)}`, scratch);
    };
    const turns = { byHand, byUs: () => deployer.toLive(app) };
    rows.push(
      await compareWithManual(name, turns, (round) => repository.commit({ 'round.txt': `${name} ${round}` })),
    );
  }
  console.log(formatTable(['', 'bare shell', 'POST to live', 'more', 'ratio'], rows));
  await measureUnchanged('Node example', deployer, nodeApp);
}

async function startByHand(folder: string): Promise<string> {
  const port = await freePort();
  return `cd ${folder} && npm ci --include=dev --silent && npm run --silent build >/dev/null &&
    (HOST=127.0.0.1 PORT=${port} node server.js >/dev/null & echo $! > pid) &&
    until curl --silent --fail --output /dev/null http://127.0.0.1:${port}/; do sleep 0.01; done; kill $(cat pid)`;
}

/**
 * Runs a shell script with this process's node first in PATH, so that sites built by hand and by Simcha use the same
 * one.
 */
async function shell(script: string, scratch: string): Promise<void> {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  await run('sh', ['-c', script], {
    env: { ...process.env, PATH, NODE_ENV: 'production', npm_config_cache: join(scratch, 'npm') },
  });
}

/** Measures the same pages from a site in the sandbox, with its own network, and from a plain process, in turns. */
async function measureOwnNetwork(walled: Deployer): Promise<void> {
  const open = await createDeployer({ APPS_ISOLATION: 'none' });
  try {
    const kinds = [
      { name: 'as a plain process', by: open },
      { name: 'in a network of its own', by: walled },
    ];
    console.log(
      '\nA page of a site, times in ms; the ratio is what a request costs beside the plain process\n',
    );
    const rows = [
      ...(await compareWithPlainProcess('a word', kinds, versionSite('page'), {})),
      ...(await compareWithPlainProcess('an invitation', kinds, await filesOf(join(EXAMPLES, 'rsvp')), {
        EVENT: INVITATION,
      })),
    ];
    console.log(formatTable(['', '', 'requests/s', 'p50', 'p99', 'ratio'], rows));
  } finally {
    await open.server.stop();
  }
}

async function compareWithPlainProcess(
  page: string,
  kinds: readonly { name: string; by: Deployer }[],
  files: Record<string, string>,
  env: Record<string, string>,
): Promise<string[][]> {
  await using repository = await createRepository(files);
  const sites: { name: string; url: string; app: ApplicationClient; measured: Measured[] }[] = [];
  for (const { name, by } of kinds) {
    const app = await by.create(repository);
    await app.call('PATCH', '/env', env);
    await app.deploy();
    sites.push({ name, url: by.url, app, measured: [] });
  }
  const rows: string[][] = [];
  for (const connections of [1, 20]) {
    for (const site of sites) site.measured = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const { url, app, measured } of sites) {
        const requests = [{ method: 'GET' as const, path: '/', headers: { host: app.host } }];
        const one = await measureHttp({ url, connections, seconds: VISIT_SECONDS, requests });
        // The first pass over the sites is a warm-up and is not measured.
        if (round > 0) measured.push(one);
      }
    }
    const plain = meanOf(sites[0]?.measured ?? []).perSecond;
    for (const { name, measured } of sites) {
      const { perSecond, p50, p99 } = meanOf(measured);
      const figures = [
        formatNumber(perSecond),
        formatNumber(p50, 2),
        formatNumber(p99, 2),
        formatNumber(plain / perSecond, 2),
      ];
      rows.push([`${page}, ${connections} at once`, name, ...figures]);
    }
  }
  return rows;
}

async function measureManySites({
  server,
  create,
  toLive,
}: Awaited<ReturnType<typeof createDeployer>>): Promise<void> {
  await using repository = await createRepository(versionSite('many'));
  const before = await server.memory();
  const apps: ApplicationClient[] = [];
  for (let i = 0; i < EXISTING; i += 1) apps.push(await create(repository));
  const exist = await server.memory();
  const running = apps.slice(0, RUNNING);
  const took = await measureTime(async () => {
    const asked = await Promise.all(running.map((app) => app.ask()));
    await Promise.all(running.map((app, i) => app.expect(asked[i] ?? '', 'live', 300_000)));
  });
  await until(async () => {
    const answers = await Promise.all(running.map((app) => visitSite(server.url, app.host)));
    return answers.every(({ status }) => status === 200);
  });
  const run = await server.memory();
  const processes = readProcesses();
  const roots = processesMarked(join(server.dataDir, 'sites/'));
  const pids = new Set(roots.flatMap((root) => processes.treeOf(root)).map(({ pid }) => pid));
  const sites = [...pids].reduce((sum, pid) => sum + ownMemory(pid), 0) / 2 ** 20;
  await repository.commit(versionSite('more'));
  const one = await measureMedian(async (round) => {
    await repository.commit(versionSite(`more ${round}`));
    return measureTime(() => toLive(apps[RUNNING] as ApplicationClient));
  });
  console.log(
    `\n${EXISTING} applications, ${RUNNING} of them running (deployed together in ${formatNumber(took / 1000, 1)} s)\n` +
      `  memory of the server: ${formatNumber(before)} MiB before, ${formatNumber(exist)} with all of them, ${formatNumber(run)} with ${RUNNING} running\n` +
      `  memory of the sites: ${formatNumber(sites / (RUNNING + 3), 0)} MiB each\n` +
      `  a deploy of one more: ${formatMs(one)}`,
  );
}
