import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import type { OtherRuntime } from './support/on-runtime.ts';

// Which test files a command runs, and in which process. Pure but for the list of files.

/** Test files to run: on processes, and with servers whose sites run on another runtime. */
export interface Selection {
  files: readonly string[];
  onRuntime: Partial<Record<OtherRuntime, readonly string[]>>;
}

/** Test files of one process, and the runtime of their servers' sites; undefined: processes. */
export interface Area {
  members: readonly string[];
  runtime?: OtherRuntime;
}

const CLUSTER_FILES = globSync('test/hosting/cluster*.test.ts').sort();
const ENGINE_FILES = globSync('test/hosting/{containers,dockerfiles,engine,named-images}.test.ts').sort();
/** Files that need an engine or a cluster, which only a run on another runtime has. */
const ENGINES_ONLY = [...CLUSTER_FILES, ...ENGINE_FILES];
/** Files that check the same on each runtime, with programs of Node.js alone. */
const ANY_RUNTIME = [
  'apps',
  'deleted-meanwhile',
  'deployments',
  'idempotency',
  'kinds',
  'logs',
  'previews',
  'processes',
  'runs',
  'volumes',
].map((name) => `test/hosting/${name}.test.ts`);

const ALL = '{server,test,bench}/**/*.test.ts';
/** Files that `npm test` leaves to other commands. */
const NOT_SHORT = [
  'test/faults/**',
  'test/image/**',
  'test/demo-cluster.test.ts',
  'test/support/cluster.test.ts',
  ...ENGINES_ONLY,
];

export type Lane = 'web' | 'engines';

/**
 * Lanes: what `npm test` leaves out of a part of the product. Tests that it leaves out within a file are `testInLane`.
 */
export const LANES: Readonly<Record<Lane, Selection>> = {
  web: {
    files: globSync(['test/web/**/*.test.ts', 'test/planning/answers/accessibility.test.ts']).sort(),
    onRuntime: {},
  },
  engines: {
    files: globSync('test/{hosting,cli}/**/*.test.ts', { exclude: ENGINES_ONLY }).sort(),
    onRuntime: {
      docker: ['test/hosting/apps.test.ts', ...ENGINE_FILES],
      swarm: ['test/hosting/apps.test.ts', ...CLUSTER_FILES, 'test/support/cluster.test.ts'],
    },
  },
};

/** What `npm test` runs. */
export function shortSelection(): Selection {
  return { files: globSync(ALL, { exclude: NOT_SHORT }).sort(), onRuntime: {} };
}

/** What `npm run test:long` runs. */
export function longSelection(): Selection {
  return {
    files: globSync(ALL, { exclude: ENGINES_ONLY }).sort(),
    onRuntime: {
      docker: [...ANY_RUNTIME, ...ENGINE_FILES],
      swarm: [...ANY_RUNTIME, ...CLUSTER_FILES],
      podman: [
        'test/hosting/containers.test.ts',
        'test/hosting/engine.test.ts',
        'test/faults/hosting/full-containers.test.ts',
      ],
    },
  };
}

/** What test:long runs of hosting with three servers. */
export function severalServersSelection(): Selection {
  const patterns = ['test/hosting/**/*.test.ts', 'test/faults/hosting/**/*.test.ts'];
  return { files: globSync(patterns, { exclude: ENGINES_ONLY }).sort(), onRuntime: {} };
}

/** Files of a part of the server or the console, and the files of lanes that a change of them concerns. */
const CONCERNS: readonly {
  changed: RegExp;
  /** Files of test/cli. */
  cli?: readonly string[];
  /** Files of test/web. */
  web?: readonly string[];
  /** Files of the lane web in test/planning/answers. */
  answers?: readonly string[];
  /** Files of test/hosting, with sites as processes. */
  processes?: readonly string[];
  docker?: readonly string[];
  swarm?: readonly string[];
}[] = [
  { changed: /^cli\//, cli: ['commands', 'events', 'mcp', 'sign-in', 'terminal', 'upload', 'webhooks'] },
  { changed: /^web\/src\/features\/checklist\//, web: ['checklist'] },
  { changed: /^web\/src\/features\/events\//, web: ['events', 'details'] },
  { changed: /^web\/src\/features\/guests\//, web: ['guests', 'imports'] },
  { changed: /^web\/src\/features\/history\//, web: ['history'] },
  { changed: /^web\/src\/features\/home\//, web: ['home'] },
  { changed: /^web\/src\/features\/invitation\//, web: ['invitation', 'links'] },
  { changed: /^web\/src\/features\/messages\//, web: ['messages', 'contact-list'] },
  { changed: /^web\/src\/features\/operator\//, web: ['operator'] },
  { changed: /^web\/src\/features\/overview\//, web: ['together'] },
  { changed: /^web\/src\/features\/palette\//, web: ['palette'] },
  { changed: /^web\/src\/features\/questions\//, web: ['questions'] },
  { changed: /^web\/src\/features\/reference\//, web: ['reference'] },
  { changed: /^web\/src\/features\/(?:settings|sharing)\//, web: ['links', 'sharing'] },
  { changed: /^web\/src\/features\/sign-in\//, web: ['sign-in', 'sibling'] },
  { changed: /^web\/src\/features\/site-(?:figures|logs)\//, web: ['site-figures'] },
  { changed: /^web\/src\/features\/(?:sites\/|new-site\/|site-)/, web: ['sites'] },
  { changed: /^web\/src\/features\/today\//, web: ['today'] },
  { changed: /^web\/src\/features\/tokens\//, web: ['tokens'] },
  { changed: /^web\/src\/features\/vendors\//, web: ['vendors'] },
  { changed: /^web\/src\/features\/waiting\//, web: ['waiting'] },
  { changed: /^web\/src\/features\/webhooks\//, web: ['webhooks'] },
  { changed: /^web\/src\/(?!features\/)/, web: ['together'] },
  { changed: /^server\/planning\/answers\//, answers: ['accessibility'] },
  {
    changed: /^server\/hosting\/builds\//,
    processes: ['apps', 'languages', 'node-versions'],
    docker: ['dockerfiles', 'apps'],
    swarm: ['cluster-images'],
  },
  {
    changed: /^server\/hosting\/controller\//,
    processes: ['deployments', 'runs'],
    docker: ['apps'],
    swarm: ['apps'],
  },
  { changed: /^server\/hosting\/engine\/swarm/, swarm: ['cluster'] },
  {
    changed: /^server\/hosting\/(?:engine|runtimes)\//,
    docker: ['engine', 'containers'],
    swarm: ['cluster'],
  },
  { changed: /^server\/hosting\/gateway\//, processes: ['processes'] },
  { changed: /^server\/hosting\/logs\//, processes: ['logs'] },
  { changed: /^server\/hosting\/previews\//, processes: ['previews'] },
  { changed: /^server\/hosting\/runs\//, processes: ['runs'] },
  { changed: /^server\/hosting\/sandbox\//, processes: ['sandbox'] },
  { changed: /^server\/hosting\/volumes\//, processes: ['volumes'], swarm: ['cluster-volumes'] },
];

/**
 * Files of the lanes that changes of these files concern, each a selection of its own, the most often changed first.
 */
export function concernedFiles(changed: readonly string[]): Selection[] {
  const counts = new Map<string, number>();
  const add = (file: string, runtime = '') => {
    const key = `${file} ${runtime}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  for (const path of changed) {
    if ([LANES.web, LANES.engines].some(({ files }) => files.includes(path))) add(path);
    if (ENGINE_FILES.includes(path)) add(path, 'docker');
    if (CLUSTER_FILES.includes(path)) add(path, 'swarm');
    for (const { changed: pattern, ...concerned } of CONCERNS) {
      if (!pattern.test(path)) continue;
      for (const name of concerned.cli ?? []) add(`test/cli/${name}.test.ts`);
      for (const name of concerned.web ?? []) add(`test/web/${name}.test.ts`);
      for (const name of concerned.answers ?? []) add(`test/planning/answers/${name}.test.ts`);
      for (const name of concerned.processes ?? []) add(`test/hosting/${name}.test.ts`);
      for (const name of concerned.docker ?? []) add(`test/hosting/${name}.test.ts`, 'docker');
      for (const name of concerned.swarm ?? []) add(`test/hosting/${name}.test.ts`, 'swarm');
    }
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([key]) => {
      const [file = '', runtime = ''] = key.split(' ');
      return runtime === ''
        ? { files: [file], onRuntime: {} }
        : { files: [], onRuntime: { [runtime]: [file] } };
    });
}

/** Seconds that one file takes at most on two cores, beside two others. */
const FILE_SECONDS: Readonly<Record<string, number>> = { swarm: 300, docker: 150, processes: 100 };

/**
 * The first of some selections of one file that end within `seconds` if they run at once, at most `most`. Files of one
 * engine or cluster run one after the other.
 */
export function takeBatch(waiting: readonly Selection[], seconds: number, most: number): Selection[] {
  const batch: Selection[] = [];
  const taken = new Map<string, number>();
  for (const one of waiting) {
    const [runtime = 'processes'] = Object.keys(one.onRuntime);
    const before = runtime === 'processes' ? 0 : (taken.get(runtime) ?? 0);
    const after = before + (FILE_SECONDS[runtime] ?? 0);
    if (batch.length === most || after > seconds) continue;
    taken.set(runtime, after);
    batch.push(one);
  }
  return batch;
}

/** One selection of several. */
export function mergeSelections(selections: readonly Selection[]): Selection {
  const on = (runtime: OtherRuntime) => selections.flatMap(({ onRuntime }) => onRuntime[runtime] ?? []);
  return {
    files: selections.flatMap(({ files }) => files),
    onRuntime: { docker: on('docker'), swarm: on('swarm'), podman: on('podman') },
  };
}

/** Number of files of a selection. */
export function sizeOf({ files, onRuntime }: Selection): number {
  return [files, ...Object.values(onRuntime)].reduce((sum, { length }) => sum + length, 0);
}

/** Files that take long, each a process of its own. */
const ALONE = [
  'test/faults/deployments.test.ts',
  'test/faults/operation.test.ts',
  'test/faults/hosting/hostile-builds.test.ts',
  'test/hosting/deployments.test.ts',
  'test/kernel/jobs.test.ts',
  'test/hosting/sandbox.test.ts',
  'test/web/together.test.ts',
];
/** Folders whose files take too long for one process, and how many they get. */
const PROCESSES_OF: Readonly<Record<string, number>> = { 'test/web': 3, 'test/hosting': 2 };
/**
 * Areas that take longest and so begin first. Those that mostly wait, for engines and retries, are beside those that
 * compute.
 */
const FIRST = [
  'test/image',
  'on swarm',
  'test/web 1',
  'test/web 2',
  'test/hosting/deployments.test.ts',
  'test/web 3',
  'on docker',
  'test/planning',
  'test/hosting 1',
  'test/hosting 2',
  'test/kernel/jobs.test.ts',
  'test/web/together.test.ts',
  'test/hosting/sandbox.test.ts',
  'test/hosting/controller',
  'test/kernel',
  'test/support',
  'test/faults/operation.test.ts',
  'test/faults/deployments.test.ts',
  'test/faults/hosting',
  'test/faults',
];

/**
 * Areas of a selection by name, in the order in which they begin. Files of one folder share a process, and with it the
 * modules, warm code and servers.
 */
export function areasOf({ files, onRuntime }: Selection): Map<string, Area> {
  const areas = new Map<string, Area>();
  for (const [name, members] of Map.groupBy(files, areaOf)) areas.set(name, { members });
  for (const [runtime, members] of Object.entries(onRuntime))
    if (members.length > 0) areas.set(`on ${runtime}`, { members, runtime: runtime as OtherRuntime });
  const order = [...new Set([...FIRST, ...ALONE, ...areas.keys()])];
  return new Map(order.flatMap((name) => (areas.has(name) ? [[name, areas.get(name) as Area]] : [])));
}

function areaOf(file: string, index: number): string {
  if (ALONE.includes(file)) return file;
  // Tests beside the code share one process.
  const area = file.startsWith('server/') ? 'server' : dirname(file);
  const most = PROCESSES_OF[area];
  return most === undefined ? area : `${area} ${(index % most) + 1}`;
}
