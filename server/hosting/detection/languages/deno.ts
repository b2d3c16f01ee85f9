import type { Language } from './language.ts';

const DENO_PROGRAM = './.deno/node_modules/deno/deno';
const PROGRAM_FILES = ['main.ts', 'server.ts', 'main.js', 'server.js', 'index.ts', 'src/main.ts', 'main.tsx'];

export const DENO: Language = {
  name: 'Deno',
  files: [
    { file: 'deno.json', install: `${DENO_PROGRAM} install` },
    { file: 'deno.jsonc', install: `${DENO_PROGRAM} install` },
  ],
  programs: [],
  // Deno's install script is run explicitly, because npm runs no scripts that are not allowed.
  brings:
    'npm install --no-package-lock --ignore-scripts --prefix .deno deno@2 && node .deno/node_modules/deno/install.cjs',
  // Deno keeps downloaded packages in the site's folder, as part of the build.
  variables: { DENO_DIR: '.deno/cache', DENO_NO_UPDATE_CHECK: '1' },
  frameworks: [
    {
      name: 'Deno (tasks)',
      task: ['start', 'preview'],
      kind: 'server',
      builds: [{ command: `${DENO_PROGRAM} task build`, task: 'build' }],
      starts: [{ command: `DENO_SERVE_ADDRESS=tcp:$HOST:$PORT ${DENO_PROGRAM} task {name}` }],
      source: 'https://docs.deno.com/runtime/reference/cli/task/',
      verified: '2.9.6',
    },
    {
      name: 'Deno (fetch)',
      entry: { files: PROGRAM_FILES, says: /^(export default) \{/m, shown: 'export default {' },
      kind: 'server',
      builds: [{ command: `${DENO_PROGRAM} task build`, task: 'build' }],
      starts: [{ command: `${DENO_PROGRAM} serve --allow-all --host $HOST --port $PORT {file}` }],
      source: 'https://docs.deno.com/runtime/reference/cli/serve/',
    },
    {
      name: 'Deno',
      entry: { files: PROGRAM_FILES, says: /\b(Deno\.serve|serve|listen)\(/, shown: 'Deno.serve(' },
      kind: 'server',
      builds: [{ command: `${DENO_PROGRAM} task build`, task: 'build' }],
      starts: [{ command: `DENO_SERVE_ADDRESS=tcp:$HOST:$PORT ${DENO_PROGRAM} run --allow-all {file}` }],
      source: 'https://docs.deno.com/runtime/reference/env_variables/',
    },
  ],
  example: `${DENO_PROGRAM} run --allow-all main.ts`,
  source: 'https://docs.deno.com/runtime/getting_started/installation/',
};
