import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createQuote, significantLines } from './error-lines.ts';

// Output of real programs: npm 11, pnpm 10, yarn 1.22 and 4, TypeScript 7, Vite 7, Next 16, node 26.

const of = (output: string) => significantLines(output.split('\n'));

test('npm: what is wrong with the lockfile, and not how it is called', () => {
  assert.deepEqual(
    of(`npm error code EUSAGE
npm error
npm error \`npm ci\` can only install packages when your package.json and package-lock.json or npm-shrinkwrap.json are in sync. Please update your lock file with \`npm install\` before continuing.
npm error
npm error Missing: ms@2.1.3 from lock file
npm error
npm error Clean install a project
npm error
npm error Usage:
npm error npm ci
npm error
npm error Options:
npm error [--install-strategy <hoisted|nested|shallow|linked>] [--legacy-bundling]
npm error [-w|--workspace <workspace-name> [-w|--workspace <workspace-name> ...]]
npm error
npm error   --install-strategy
npm error     Sets the strategy for installing packages in node_modules.
npm error A complete log of this run can be found in: /home/site/.npm/_logs/2026-11-25T10_34_30_455Z-debug-0.log`),
    [
      'npm error code EUSAGE',
      'npm error `npm ci` can only install packages when your package.json and package-lock.json or npm-shrinkwrap.json are in sync. Please update your lock file with `npm install` before continuing.',
      'npm error Missing: ms@2.1.3 from lock file',
    ],
  );
  assert.deepEqual(
    of(`npm error code ETARGET
npm error notarget No matching version found for ms@99.0.0.
npm error notarget In most cases you or one of your dependencies are requesting a package version that doesn't exist.
npm error A complete log of this run can be found in: /home/site/.npm/_logs/debug-0.log`),
    ['npm error code ETARGET', 'npm error notarget No matching version found for ms@99.0.0.'],
  );
});

test('npm: the line after its code', () => {
  assert.deepEqual(
    of(`npm error code EOVERRIDE
npm error Override for ms@^2.1.3 conflicts with direct dependency
npm error A complete log of this run can be found in: /home/site/.npm/_logs/debug-0.log`),
    ['npm error code EOVERRIDE', 'npm error Override for ms@^2.1.3 conflicts with direct dependency'],
  );
  assert.deepEqual(
    of(`npm error code ENOTFOUND
npm error syscall getaddrinfo
npm error errno ENOTFOUND
npm error network request to https://registry.example/ms failed, reason: getaddrinfo ENOTFOUND registry.example
npm error network This is a problem related to network connectivity.
npm error network In most cases you are behind a proxy or have bad network settings.
npm error network
npm error network If you are behind a proxy, please make sure that the 'proxy' config is set properly.  See: 'npm help config'`),
    [
      'npm error code ENOTFOUND',
      'npm error network request to https://registry.example/ms failed, reason: getaddrinfo ENOTFOUND registry.example',
    ],
  );
  assert.deepEqual(
    of(`npm error code ECONNREFUSED
npm error syscall connect
npm error errno ECONNREFUSED
npm error FetchError: request to http://127.0.0.1:9/ms failed, reason: connect ECONNREFUSED 127.0.0.1:9
npm error     at ClientRequest.<anonymous> (/usr/lib/node_modules/npm/node_modules/minipass-fetch/lib/index.js:130:14)
npm error   requiredBy: '.'
npm error }
npm error
npm error If you are behind a proxy, please make sure that the 'proxy' config is set properly.  See: 'npm help config'`),
    [
      'npm error code ECONNREFUSED',
      'npm error FetchError: request to http://127.0.0.1:9/ms failed, reason: connect ECONNREFUSED 127.0.0.1:9',
    ],
  );
});

test('Next: what failed to compile, and where', () => {
  assert.deepEqual(
    of(`   Creating an optimized production build ...
Failed to compile.

./pages/index.js
Module not found: Can't resolve 'nowhere' in '/app/pages'

https://nextjs.org/docs/messages/module-not-found

> Build failed because of webpack errors`),
    ['Failed to compile.', './pages/index.js', "Module not found: Can't resolve 'nowhere' in '/app/pages'"],
  );
  assert.deepEqual(
    of(`Failed to compile.

app/layout.tsx
\`next/font\` error:
Failed to fetch \`Inter\` from Google Fonts.

> Build failed because of webpack errors`),
    [
      'Failed to compile.',
      'app/layout.tsx',
      '`next/font` error:',
      'Failed to fetch `Inter` from Google Fonts.',
    ],
  );
  assert.deepEqual(
    of(`Failed to compile.

./app/page.tsx
5:7  Error: 'x' is assigned a value but never used.  no-unused-vars

info  - Need to disable some ESLint rules?`),
    [
      'Failed to compile.',
      './app/page.tsx',
      "5:7  Error: 'x' is assigned a value but never used.  no-unused-vars",
    ],
  );
});

test('Ruby: what Bundler lacks, and not which version of itself it is', () => {
  assert.deepEqual(
    of(`Don't run Bundler as root. Bundler can ask for sudo if it is needed, and
installing your bundle as root will break this application for all non-root
users on this machine.
Bundler 2.3.15 is running, but your lockfile was generated with 2.5.6. Installing Bundler 2.5.6 and restarting using that version.
There was an error installing the locked bundler version (2.5.6), rerun with the \`--verbose\` flag for more details. Going on using bundler 2.3.15.
Could not reach host index.rubygems.org. Check your network connection and try
again.`),
    ['Could not reach host index.rubygems.org. Check your network connection and try'],
  );
  assert.deepEqual(
    of(`Warning: the running version of Bundler (2.1.4) is older than the version that created the lockfile (2.5.6).
Your Ruby version is 3.1.2, but your Gemfile specified 3.3.0`),
    ['Your Ruby version is 3.1.2, but your Gemfile specified 3.3.0'],
  );
});

test('errors that a language names with its modules', () => {
  for (const line of [
    'django.core.exceptions.ImproperlyConfigured: The SECRET_KEY setting must not be empty.',
    'psycopg2.OperationalError: connection to server at "db" failed',
    'ActiveRecord::ConnectionNotEstablished: connection refused',
    "server.rb:3:in `<main>': undefined local variable or method `x' (NameError)",
    'PHP Fatal error:  Uncaught Error: Call to undefined function f() in /app/index.php:3',
    'panic: open config.yml: no such file or directory',
    'error: relation "users" does not exist',
    '{"level":50,"time":1764345600000,"pid":7,"msg":"relation users does not exist"}',
  ]) {
    assert.deepEqual(of(`starting\n${line}\nnothing more`), [line]);
  }
});

test('of what runs on, its last error, or else its last line', () => {
  const latest = (output: string) => {
    const quote = createQuote({ hide: (line) => line, output() {} });
    quote.add(output.split('\n'));
    return quote.latest().said;
  };
  assert.equal(latest('starting\nconnecting to db…\n'), 'connecting to db…');
  assert.equal(
    latest(`Error: the cache is cold
listening
error: relation "users" does not exist
    at Parser.parseErrorMessage (/app/node_modules/pg-protocol/dist/parser.js:285:98) {
  severity: 'ERROR',
  code: '42P01',
  routine: 'parserOpenTable'
}
GET / 500
error: relation "users" does not exist
}`),
    'error: relation "users" does not exist',
  );
  assert.equal(
    latest("[PM2] starting\nError: Cannot find module './gone'\n[PM2] waiting for the application"),
    "Error: Cannot find module './gone'",
  );
  assert.equal(latest(''), undefined);
});

test('what a script ran goes before what its manager says of that', () => {
  assert.deepEqual(
    of(`
> build
> node build.js

node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module './missing'
Require stack:
- /app/build.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at Module._load (node:internal/modules/cjs/loader:1038:27) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/app/build.js' ]
}

Node.js v26.10.0
npm error Lifecycle script \`build\` failed with error:
npm error code 1
npm error path /app
npm error workspace site@1.0.0
npm error location /app
npm error command failed
npm error command sh -c node build.js`),
    ["Error: Cannot find module './missing'"],
  );
});

test('pnpm and yarn, of either kind', () => {
  assert.deepEqual(
    of(` ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up to date with <ROOT>/package.json

Note that in CI environments this setting is true by default. If you still need to run install in such cases, use "pnpm install --no-frozen-lockfile"

  Failure reason:
  specifiers in the lockfile don't match specifiers in package.json:
* 1 dependencies were added: ms@2.1.3`),
    [
      'ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile" because pnpm-lock.yaml is not up to date with <ROOT>/package.json',
    ],
  );
  assert.deepEqual(
    of(`yarn install v1.22.22
warning package.json: No license field
[1/4] Resolving packages...
error Your lockfile needs to be updated, but yarn was run with \`--frozen-lockfile\`.
info Visit https://yarnpkg.com/en/docs/cli/install for documentation about this command.`),
    ['error Your lockfile needs to be updated, but yarn was run with `--frozen-lockfile`.'],
  );
  assert.deepEqual(
    of(`➤ YN0000: · Yarn 4.9.1
➤ YN0000: ┌ Resolution step
➤ YN0000: └ Completed
➤ YN0028: The lockfile would have been modified by this install, which is explicitly forbidden.
➤ YN0000: · Failed with errors in 0s 93ms`),
    ['➤ YN0028: The lockfile would have been modified by this install, which is explicitly forbidden.'],
  );
});

test('compilers and bundlers', () => {
  assert.deepEqual(
    of(`a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.
a.ts(1,37): error TS2322: Type 'number' is not assignable to type 'string'.
npm error code 2`),
    [
      "a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.",
      "a.ts(1,37): error TS2322: Type 'number' is not assignable to type 'string'.",
    ],
  );
  assert.deepEqual(
    of(`vite v7.3.8 building client environment for production...
transforming...
✓ 2 modules transformed.
✗ Build failed in 164ms
error during build:
Could not resolve "./nowhere.js" from "m.js"
file: /app/m.js
    at getRollupError (file:///app/node_modules/rollup/dist/es/shared/parseAst.js:355:41)`),
    ['error during build:', 'Could not resolve "./nowhere.js" from "m.js"'],
  );
  assert.deepEqual(
    of(`▲ Next.js 16.4.6 (Turbopack)

  Creating an optimized production build ...

> Build error occurred
Error: Turbopack build failed with 1 errors:
./app/bad/page.js:1:1
Error: Module not found: Can't resolve './nowhere'
> 1 | import x from './nowhere'; export default function P(){return <p>{x}</p>}
    at <unknown> (https://nextjs.org/docs/messages/module-not-found)`),
    [
      'Error: Turbopack build failed with 1 errors:',
      './app/bad/page.js:1:1',
      "Error: Module not found: Can't resolve './nowhere'",
    ],
  );
  assert.deepEqual(of('$ gunicorn site\nsh: 1: gunicorn: not found'), ['sh: 1: gunicorn: not found']);
});

test('a line that only begins to say what is wrong is told with the next one', () => {
  assert.deepEqual(
    of(`vite v8.0.1 building ssr environment for production...
error during build:
The sveltekit() plugin is set up twice
    at configure (file:///app/node_modules/@sveltejs/kit/src/exports/vite/index.js:120:9)`),
    ['error during build:', 'The sveltekit() plugin is set up twice'],
  );
});

test('of what nobody knows the last lines, and nothing of nothing', () => {
  assert.deepEqual(of('one\ntwo\n\nthree\n'), ['two', 'three']);
  assert.deepEqual(of('> build\n> echo burnt; exit 4\n\nburnt'), ['burnt']);
  assert.deepEqual(of('\n'), []);
  const [line = ''] = of(`Error: ${'x'.repeat(9_000)}`);
  assert.ok(line.length < 300);
});
