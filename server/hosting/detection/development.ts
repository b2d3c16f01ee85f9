/**
 * Development tool that a start script runs, and, if the script contains one, the production command to use instead.
 */
export interface Development {
  tool: string;
  instead?: string;
}

/**
 * Development tools by command, with the arguments that start a development server. `''`: the command alone, or
 * followed by options.
 */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  astro: ['dev', 'preview', 'start'],
  'browser-sync': ['start', 'serve', ''],
  craco: ['start'],
  docusaurus: ['start', 'serve'],
  eleventy: ['--serve', '--watch'],
  ember: ['serve', 's', 'server'],
  expo: ['start'],
  gatsby: ['develop', 'serve'],
  hexo: ['server', 's'],
  hugo: ['server', 'serve'],
  'live-server': ['*'],
  'lite-server': ['*'],
  nest: ['start'],
  netlify: ['dev'],
  next: ['dev', ''],
  ng: ['serve', 's', 'dev'],
  nitropack: ['dev', 'preview'],
  nuxi: ['dev', 'preview'],
  nx: ['serve', 'dev'],
  nuxt: ['dev', 'preview', ''],
  parcel: ['serve', 'watch', ''],
  quasar: ['dev', 'serve'],
  qwik: ['dev'],
  'react-app-rewired': ['start'],
  'react-router': ['dev'],
  'react-scripts': ['start'],
  remix: ['dev', 'vite:dev', 'watch'],
  rsbuild: ['dev', 'preview', ''],
  rspack: ['dev', 'serve', 's'],
  slidev: ['slides.md', ''],
  storybook: ['dev'],
  strapi: ['dev', 'develop', 'watch-admin'],
  'ts-node-dev': ['*'],
  tsnd: ['*'],
  vinxi: ['dev'],
  vite: ['dev', 'serve', 'preview', ''],
  vitepress: ['dev', 'preview', 'serve', ''],
  'vue-cli-service': ['serve'],
  vuepress: ['dev'],
  webpack: ['serve', 's', 'server', '--watch', '-w'],
  'webpack-dev-server': ['*'],
  wrangler: ['dev'],
};

/** Prefixes of a command that do not change which program runs. */
const BEFORE =
  /^(?:(?:cross-env|env|exec|dotenv|npx|pnpx|bunx|--yes|-y|--)\s+|(?:pnpm|yarn|npm)\s+(?:exec|dlx)\s+|[A-Za-z_]\w*=\S*\s+)+/;
/** Pattern for a call of another script of the package. */
const RUNS = /^(?:npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?([\w:.-]+)/;
/** Watchers, which restart a program when its files change; the program itself is suitable for production. */
const WATCHERS = /^(?:nodemon|node-dev)\s+(?!-)(\S+\.(?:[cm]?js))((?:\s+(?!-)\S+)*)$/;
const WATCHING = /^((?:node|tsx|bun)\b.*?)\s(?:--watch(?:-path=\S+)?|watch)(?=\s|$)(.*)$/;
/** `nx run shop:serve:production` is `nx serve shop` with a configuration: https://nx.dev/nx-api/nx/documents/run */
const NX_TARGET = /^nx run [^\s:]+:([\w-]+)(?::[\w-]+)?/;
const MOST_STEPS = 5;

/**
 * Finds a development tool in a script; undefined if the script has none. `through`: names of scripts already followed.
 */
export function developmentIn(
  script: string,
  scripts: Readonly<Record<string, string>> = {},
  steps = 0,
  through = new Set<string>(),
): Development | undefined {
  for (const part of script.split(/&&|\|\||[;|&]/)) {
    const command = part
      .trim()
      .replace(BEFORE, '')
      .replace(/^(?:\.\/)?node_modules\/\.bin\//, '')
      .replace(NX_TARGET, 'nx $1');
    const found = developmentBy(command) ?? followed(command, scripts, steps, through);
    if (found) return found;
  }
  return undefined;
}

function followed(
  command: string,
  scripts: Readonly<Record<string, string>>,
  steps: number,
  through: Set<string>,
): Development | undefined {
  const [, name = ''] = RUNS.exec(command) ?? [];
  const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  if (script === undefined || steps === MOST_STEPS || through.has(name)) return undefined;
  through.add(name);
  return developmentIn(script, scripts, steps + 1, through);
}

function developmentBy(command: string): Development | undefined {
  const [, file, rest = ''] = WATCHERS.exec(command) ?? [];
  if (file) return { tool: command.split(' ')[0] ?? '', instead: `node ${file}${rest}` };
  const [, before, after = ''] = WATCHING.exec(command) ?? [];
  if (before) return { tool: `${before.split(' ')[0]} --watch`, instead: `${before.trimEnd()}${after}` };
  const [program = '', ...given] = command.split(/\s+/);
  const tool = program.replace(/^@11ty\//, '').replace(/@[\d.^~]+$/, '');
  const developmentArguments = Object.hasOwn(TOOLS, tool) ? (TOOLS[tool] ?? []) : [];
  const [first = ''] = given;
  const firstArgument = first === '' || first.startsWith('-') || /\.html?$/.test(first) ? '' : first;
  // Production commands such as `nuxt start`, `next start` and all builds do not count as development tools.
  const isOne =
    developmentArguments.includes('*') ||
    developmentArguments.includes(firstArgument) ||
    given.some((one) => one.startsWith('-') && developmentArguments.includes(one));
  return isOne && !given.includes('build')
    ? { tool: [tool, firstArgument].filter(Boolean).join(' ') }
    : undefined;
}
