import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PlanSettings, Source } from '../model/plan.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import type { CommandVariant } from './languages/language.ts';
import { LANGUAGE_TEXTS, LANGUAGES } from './languages.ts';
import { planOf } from './planner.ts';

/** Source with a file for each text, and other files without relevant content. */
const source = (texts: Record<string, string>, ...others: string[]): Source => ({
  texts,
  files: new Set([...Object.keys(texts), ...others.filter((one) => !one.endsWith('/'))]),
  folders: new Set(others.filter((one) => one.endsWith('/')).map((one) => one.slice(0, -1))),
});
const planned = (given: Source, settings: PlanSettings = {}) => {
  const { build, run, findings } = planOf(given, settings);
  return {
    kind: build.kind,
    steps: build.steps.map(({ command }) => command),
    start: run.processes.web,
    programs: (build.programs ?? []).map((one) => one.package),
    publish: build.publish,
    build,
    run,
    findings,
  };
};

const VENV = 'python3 -m venv .venv && .venv/bin/pip install';
const uvSync = (options: string) =>
  `python3 -m venv ~/.uv && ~/.uv/bin/pip install --quiet --upgrade uv && UV_LINK_MODE=copy UV_PYTHON_INSTALL_DIR=.python ~/.uv/bin/uv sync${options} --no-dev`;
const cargo = (options: string) =>
  `cargo install ${options} --root target --target-dir ~/.cache/cargo-target && ln -sfn bin target/release`;
const PROJECT = '[project]\nname = "x"\nversion = "1"\ndependencies = ["fastapi", "uvicorn"]\n';
const FLASK = 'from flask import Flask\napp = Flask(__name__)\n';
const MANAGE = "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'wedding.settings')";

test('each framework is started as its documentation says', () => {
  for (const [name, given, steps, start] of [
    [
      'Flask with gunicorn',
      source({ 'requirements.txt': 'Flask==3.1\ngunicorn', 'app.py': FLASK }),
      [`${VENV} --requirement requirements.txt`],
      'gunicorn app:app --bind $HOST:$PORT --threads 4',
    ],
    [
      'Flask by a factory, with waitress',
      source({
        'requirements.txt': 'flask\nwaitress',
        'app.py': 'def create_app(): ...',
        'wsgi.py': 'from app import create_app\nsite = create_app()\n',
      }),
      [`${VENV} --requirement requirements.txt`],
      'waitress-serve --listen=$HOST:$PORT wsgi:site',
    ],
    [
      'Django with assets',
      source({
        'requirements.txt': 'django>=5\ngunicorn # serves\nwhitenoise[brotli]',
        'manage.py': MANAGE,
        'wedding/settings.py': "STATIC_ROOT = BASE_DIR / 'static'",
        'package.json': '{"scripts":{"build":"vite build"},"devDependencies":{"vite":"7"}}',
      }),
      [
        'npm install --include=dev --no-package-lock',
        `${VENV} --requirement requirements.txt`,
        'npm run build',
        '.venv/bin/python manage.py collectstatic --noinput',
      ],
      'gunicorn wedding.wsgi --bind $HOST:$PORT --threads 4',
    ],
    [
      'FastAPI in a package, by pyproject.toml',
      source({
        'pyproject.toml': '[project]\nname = "x"\nversion = "1"\ndependencies = ["fastapi[standard]>=0.1"]\n',
        'app/main.py': 'from fastapi import FastAPI\n\napp: FastAPI = FastAPI(title="x")\n',
      }),
      [uvSync('')],
      'uvicorn app.main:app --host $HOST --port $PORT',
    ],
    [
      'Flask by a factory alone, by setup.cfg',
      source({
        'setup.cfg': '[options]\ninstall_requires =\n    Flask>=3\n    gunicorn\npackages = find:\n',
        'app/__init__.py': 'def create_app(config=None):\n    return Flask(__name__)\n',
      }),
      [`${VENV} .`],
      "gunicorn 'app:create_app()' --bind $HOST:$PORT --threads 4",
    ],
    [
      'FastAPI in a package of a uv workspace',
      {
        ...source({ 'pyproject.toml': PROJECT, 'main.py': 'from fastapi import FastAPI\napp = FastAPI()\n' }),
        inherited: new Set(['uv.lock']),
      },
      [uvSync(' --locked')],
      'uvicorn main:app --host $HOST --port $PORT',
    ],
    [
      'Flask with what setup.py and an included file list',
      source({
        'requirements.txt': '-r base.txt\n',
        'base.txt': 'flask==3.1 --hash=sha256:00\n',
        'setup.py': "setup(name='x', install_requires=['gunicorn>=23'], zip_safe=False)",
        'wsgi.py': 'app = create_app()\n',
      }),
      [`${VENV} --requirement requirements.txt`],
      'gunicorn wsgi:app --bind $HOST:$PORT --threads 4',
    ],
    [
      'Laravel with assets',
      source(
        {
          'composer.json': '{"require":{"php":"^8.2","laravel/framework":"^12.0"}}',
          'package.json': '{"scripts":{"build":"vite build"},"devDependencies":{"vite":"7"}}',
        },
        'public/index.php',
        'package-lock.json',
      ),
      [
        'npm ci --include=dev',
        'composer install --no-dev --no-interaction --no-progress --optimize-autoloader',
        'npm run build',
      ],
      'cd public && exec php -S $HOST:$PORT ../vendor/laravel/framework/src/Illuminate/Foundation/resources/server.php',
    ],
    ['PHP beside pages', source({}, 'index.php', 'index.html'), [], 'php -S $HOST:$PORT'],
    [
      'Rails',
      source(
        { Gemfile: 'gem "rails", "~> 8.0"\ngem "propshaft"\ngem "puma"', 'config.ru': '' },
        'Gemfile.lock',
      ),
      ['BUNDLE_FROZEN=true bundle install', 'SECRET_KEY_BASE_DUMMY=1 bundle exec rails assets:precompile'],
      'bundle exec rails server --binding $HOST --port $PORT',
    ],
    [
      'Rack',
      source({ Gemfile: "gem 'sinatra'\n  gem('puma')", 'config.ru': '' }),
      ['bundle install'],
      'bundle exec puma --bind tcp://$HOST:$PORT',
    ],
    [
      'Sinatra',
      source({ Gemfile: "gem 'sinatra'", 'app.rb': "require 'sinatra'\n" }),
      ['bundle install'],
      'bundle exec ruby app.rb -o $HOST -p $PORT',
    ],
    [
      'Go, with a version in the path of its module',
      source({
        'go.mod': 'module example.com/wedding/v2\n\ngo 1.22\n',
        'site.go': '// Site\npackage main\n',
      }),
      ['go build -o bin/ .'],
      './bin/wedding',
    ],
    [
      'Go in the root, with other programs',
      source({ 'go.mod': 'module wedding\n', 'main.go': 'package main\n' }, 'cmd/', 'cmd/mailer/'),
      ['go build -o bin/ . ./cmd/...'],
      './bin/wedding',
    ],
    [
      'Go in a folder of its own',
      source(
        { 'go.mod': 'module wedding\n', 'site.go': 'package site\n' },
        'cmd/',
        'cmd/mailer/',
        'cmd/web/',
      ),
      ['go build -o bin/ ./cmd/...'],
      './bin/web',
    ],
    [
      'Rust',
      source({ 'Cargo.toml': '[package]\nname = "wedding"\n', 'Cargo.lock': '' }, 'src/main.rs'),
      [cargo('--locked --path .')],
      './target/release/wedding',
    ],
    [
      'Rust with several programs, of which one is the default',
      source(
        {
          'Cargo.toml':
            '[package]\nname = "wedding"\ndefault-run = "hall"\n[[bin]]\nname = "hall"\npath = "hall.rs"\n',
        },
        'src/bin/mailer.rs',
      ),
      [cargo('--path .')],
      './target/release/hall',
    ],
    [
      'a package of a Cargo workspace, with Rocket',
      source(
        {
          'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n',
          'Cargo.lock': '',
          'crates/site/Cargo.toml': '[package]\nname = "site"\n[dependencies]\nrocket = "0.5"\n',
          'crates/guests/Cargo.toml': '[package]\nname = "guests"\n',
        },
        'crates/site/src/main.rs',
        'crates/guests/src/lib.rs',
      ),
      [cargo('--locked --path crates/site')],
      'ROCKET_ADDRESS=$HOST ROCKET_PORT=$PORT ./target/release/site',
    ],
  ] as const) {
    const plan = planned(given);
    assert.deepEqual([plan.kind, plan.steps, plan.start], ['server', steps, start], name);
  }
});

test('Deno is brought beside the site, and its tasks are used', () => {
  const bring = LANGUAGES.find(({ name }) => name === 'Deno')?.brings;
  const deno = './.deno/node_modules/deno/deno';
  const plan = planned(
    source({ 'deno.jsonc': '{ /* ours: "*/ "tasks": { "start": "deno run -A main.ts", "build": "x", }, }' }),
  );
  assert.deepEqual(plan.steps, [bring, `${deno} install`, `${deno} task build`]);
  assert.equal(plan.start, `DENO_SERVE_ADDRESS=tcp:$HOST:$PORT ${deno} task start`);
  // A task that watches files is for development
  const watching = { 'deno.json': '{"tasks":{"start":"deno run -A --watch=routes/ dev.ts"}}' };
  assert.match(
    planned(source({ ...watching, 'main.ts': 'export default { fetch: () => new Response() };' })).start ??
      '',
    /deno serve --allow-all --host \$HOST --port \$PORT main\.ts$/,
  );
  // Deno is installed even if the owner sets another install command, unless no command uses it
  const named = planned(source({ 'deno.json': '{"tasks":{"start":"deno run main.ts"}}' }), {
    install: 'make',
  });
  assert.deepEqual(named.steps, [bring, 'make']);
  assert.deepEqual(
    planned(source({ 'deno.json': '{"tasks":{"start":"x"}}' }), { install: '', start: './site' }).steps,
    [],
  );
});

test('pages that a language makes are published', () => {
  const docs = planned(source({ 'requirements.txt': 'mkdocs-material' }, 'mkdocs.yml'));
  assert.deepEqual([docs.kind, docs.steps.at(-1), docs.publish[0]], ['static', 'mkdocs build', 'site']);
  const blog = planned(source({ Gemfile: "gem 'jekyll'" }, '_config.yml', 'index.html'));
  assert.deepEqual(
    [blog.kind, blog.steps.at(-1), blog.publish[0]],
    ['static', 'bundle exec jekyll build', '_site'],
  );
});

test('what the owner says goes before what the language has', () => {
  const given = source({
    'requirements.txt': 'flask\ngunicorn',
    'app.py': FLASK,
    Procfile: 'web: gunicorn app:other\nrelease: flask db upgrade',
  });
  const byFile = planned(given);
  assert.deepEqual([byFile.start, byFile.run.release], ['gunicorn app:other', 'flask db upgrade']);
  assert.deepEqual(byFile.programs, ['python3-venv']);
  const own = planned(given, { install: 'make install', build: 'make', start: 'make serve' });
  assert.deepEqual([own.steps, own.start, own.programs], [['make install', 'make'], 'make serve', []]);
});

test('what a language needs of the machine, and what its programs see, is said', () => {
  const php = planned(source({ 'composer.json': '{}' }, 'public/index.php'));
  assert.deepEqual(php.programs, ['php-cli', 'composer']);
  const rails = planned(source({ Gemfile: "gem 'rails'", 'config.ru': '' }));
  assert.deepEqual(rails.programs, ['ruby', 'ruby-bundler']);
  assert.equal(rails.run.variables?.RAILS_ENV, 'production');
  assert.deepEqual(rails.run.variables, rails.build.variables);
});

test('a version of Python that is asked for is taken where the machine has it', () => {
  const given = { 'requirements.txt': 'flask\ngunicorn', 'app.py': FLASK, '.python-version': '3.13.1' };
  const { steps, build, findings } = planned(source(given));
  assert.match(steps[0] ?? '', /^\$\(command -v python3\.13 \|\| echo python3\) -m venv \.venv && /);
  assert.match(build.programs?.[0]?.check ?? '', /^\$\(command -v python3\.13 \|\| echo python3\) -c /);
  assert.ok(findings.some((one) => one.kind === 'version' && one.value === '3.13.1'));
  const strange = planned(source({ ...given, '.python-version': '3.$(reboot)' }));
  assert.match(strange.steps[0] ?? '', /^python3 -m venv/);
});

test('what is not known to start is said, with what to set', () => {
  assert.throws(
    () => planned(source({ 'requirements.txt': 'requests', 'run.py': '' })),
    /This is a Python application \(requirements\.txt\), but no start command was found\. Set start, or add a Procfile.*gunicorn app:app/,
  );
  assert.throws(
    () => planned(source({ 'requirements.txt': 'flask', 'app.py': FLASK })),
    /This is a Flask application, but requirements\.txt has no HTTP server to serve it\. Add gunicorn, or set start/,
  );
  assert.throws(
    () => planned(source({ 'requirements.txt': 'flask\ngunicorn' })),
    /no start command was found/,
  );
  assert.throws(() => planned(source({ Gemfile: '' })), /This is a Ruby application \(Gemfile\)/);
});

test('the program that serves the site is asked for where several might, and all of them are built', () => {
  const go = source({ 'go.mod': 'module wedding\n' }, 'cmd/', 'cmd/a/', 'cmd/b/');
  assert.throws(
    () => planned(go),
    /This Go application has several programs \(a, b\), .* Set start, such as `\.\/bin\/a`/,
  );
  const { steps, start } = planned(go, { start: './bin/b' });
  assert.deepEqual([steps, start], [['go build -o bin/ ./cmd/...'], './bin/b']);
  const rust = source({ 'Cargo.toml': '[package]\nname = "x"\n' }, 'src/bin/a.rs', 'src/bin/b.rs');
  assert.throws(() => planned(rust), /Set start, such as `\.\/target\/release\/a`/);
  assert.equal(planned(rust, { start: './target/release/b' }).steps.length, 1);
  const strange = { 'Cargo.toml': '[package]\nname = "x; reboot"\n' };
  assert.throws(() => planned(source(strange, 'src/main.rs')), /no start command was found/);
});

test('where the developer lists what is needed, and what is not locked, is said', () => {
  const given = { 'pyproject.toml': '[project]\ndependencies = ["flask"]\n', 'app.py': FLASK };
  assert.throws(
    () => planned(source({ ...given, 'uv.lock': '' })),
    /pyproject\.toml has no HTTP server to serve it\. Add gunicorn/,
  );
  const unlocked = (texts: Record<string, string>) =>
    planned(source({ 'app.py': FLASK, ...texts })).findings.filter(({ kind }) => kind === 'unlocked');
  const project = '[project]\ndependencies = ["flask", "gunicorn"]\n';
  assert.deepEqual(unlocked({ 'pyproject.toml': project }), [{ kind: 'unlocked', by: 'pyproject.toml' }]);
  assert.deepEqual(unlocked({ 'pyproject.toml': project, 'uv.lock': '' }), []);
  assert.deepEqual(unlocked({ 'requirements.txt': 'flask\ngunicorn' }), []);
});

test('static files of Django are collected where its settings say so, and what serves them is asked for', () => {
  const django = (packages: string, settings: string) =>
    planned(
      source({
        'requirements.txt': `django\ngunicorn\n${packages}`,
        'manage.py': MANAGE,
        'wedding/settings.py': settings,
      }),
    );
  const collected = django('whitenoise', "STATIC_ROOT = 'static'");
  assert.equal(collected.steps.at(-1), '.venv/bin/python manage.py collectstatic --noinput');
  const unserved = ({ findings }: typeof collected) => findings.some(({ kind }) => kind === 'unserved');
  assert.equal(unserved(collected), false);
  assert.equal(unserved(django('', "STATIC_ROOT = 'static'")), true);
  assert.equal(django('whitenoise', '# STATIC_ROOT is not set').steps.length, 1);
});

test('a list of packages beside a site of another kind changes nothing, which is said', () => {
  for (const given of [
    source({ 'requirements.txt': 'mkdocs' }, 'index.html'),
    source({ 'requirements.txt': 'black', 'package.json': '{"scripts":{"start":"node a.js"}}' }),
    source({ Gemfile: "gem 'fastlane'", 'package.json': '{"scripts":{"build":"x"}}' }),
  ]) {
    const { steps, programs, findings } = planned(given);
    assert.ok(steps.every((one) => !/venv|bundle/.test(one)));
    assert.deepEqual(programs, []);
    assert.ok(findings.some(({ kind }) => kind === 'language_idle'));
  }
  const tool = source({ 'pyproject.toml': '[tool.black]\n', 'index.html': '' });
  assert.ok(planned(tool).findings.every(({ kind }) => kind !== 'language_idle'));
});

test('whatever the files of a language hold, there is a plan or a failure the owner can read', () => {
  const text = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .array(
        fc.constantFrom(
          '"',
          '\\',
          '/*',
          '*/',
          '//',
          '{',
          '}',
          '[',
          ']',
          ',',
          ':',
          '\n',
          ' ',
          'gem ',
          'app',
          '=',
        ),
      )
      .map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...LANGUAGE_TEXTS), text, { noNullPrototype: true }),
      (texts) => {
        try {
          const { kind, start, steps } = planned(source(texts));
          assert.ok(kind === 'static' || start?.trim());
          assert.ok(
            steps.every((command) => command.trim() !== '' && !/\{(file|module|name|folder)\}/.test(command)),
          );
        } catch (error) {
          assert.ok(error instanceof RuntimeFailure, String(error));
        }
      },
    ),
  );
});

test('Hugo builds pages for the address of the site, beside a package.json as well', () => {
  for (const texts of [
    { 'hugo.toml': '' },
    { 'config.toml': "baseURL = 'https://example.org/'" },
    { 'config/_default/hugo.toml': '', 'package.json': '{"devDependencies":{"postcss":"8"}}' },
  ]) {
    const { kind, steps, programs } = planned(source(texts));
    assert.deepEqual([kind, steps.at(-1)], ['static', 'hugo --baseURL "$SIMCHA_URL/"']);
    assert.deepEqual(programs, ['hugo']);
  }
  assert.throws(() => planned(source({ 'config.toml': 'base_url = "https://example.org"' })));
});

test('a file of nothing but strange signs is read in no more time than it takes to look at each', () => {
  for (const sign of ['/*', '"\\', '\n', ',', 'a', ' ', "gem '", 'app = ', '[', '"']) {
    const long = sign.repeat(190_000 / sign.length);
    const texts = Object.fromEntries([...LANGUAGE_TEXTS].map((name) => [name, long]));
    try {
      planned(source(texts));
    } catch (error) {
      assert.ok(error instanceof RuntimeFailure, String(error));
    }
  }
});

test('each row can be reached, names its source, and says what it makes', () => {
  for (const { name, frameworks, source: from, files } of LANGUAGES) {
    for (const one of [from, ...files.flatMap((file) => file.source ?? [])]) assert.match(one, /^https:\/\//);
    for (const row of frameworks) {
      assert.match(row.source, /^https:\/\//);
      assert.equal(row.kind === 'static', row.publish !== undefined && !row.starts, `${name}: ${row.name}`);
      assert.ok(row.kind === 'static' || row.starts?.length, row.name);
      const isLast = row.starts?.at(-1)?.packages === undefined;
      assert.ok(
        row.kind === 'static' || isLast === (row.needs === undefined),
        `${row.name} may lack a server`,
      );
    }
  }
});

const code = (text: string) => `\`${text.replaceAll('|', '\\|')}\``;
const waysOf = (ways: readonly CommandVariant[] = []) =>
  ways
    .map(({ command, packages, task, file, setting }) =>
      [
        code(command),
        file && `with ${code(file)}`,
        setting && `with the setting ${code(setting)}`,
        packages && `with ${packages.map(code).join(' or ')}`,
        task && `with the task ${code(task)}`,
      ]
        .filter(Boolean)
        .join(' '),
    )
    .join(', else ');

test('the documentation has the same tables', () => {
  const text = readFileSync(new URL('../../../docs/apps.md', import.meta.url), 'utf8');
  const lines = text.split('\n');
  const languages = LANGUAGES.flatMap(({ name, files, programs, brings }) =>
    files.map(({ file, content, install, programs: more = [], source }) => {
      const needed = [...programs, ...more].map((one) => code(one.package)).join(' ');
      const how = install === undefined ? '' : source ? `${code(install)} ([why](${source}))` : code(install);
      const by = content ? `${code(file)} with ${code(content.shown)}` : code(file);
      return `| ${name} | ${by} | ${how} | ${needed || `none: ${code(brings ?? '')}`} |`;
    }),
  );
  const frameworks = LANGUAGES.flatMap((language) =>
    language.frameworks.map(
      ({ name, packages = [], files, entry, program, task, builds, starts, publish, source, verified }) => {
        const told = [
          ...(packages.length > 0 ? [packages.map(code).join(' or ')] : []),
          ...(files ? [files.map(code).join(' or ')] : []),
          ...(entry ? [`${code(entry.shown)} in the first of ${entry.files.map(code).join(' ')}`] : []),
          ...(program ? [program.shown] : []),
          ...(task ? [`a task ${task.map(code).join(' or ')} that watches nothing`] : []),
        ].join(', ');
        return `| ${language.name} | [${name}](${source}) | ${told} | ${waysOf(builds)} | ${waysOf(starts)} | ${(publish ?? []).map(code).join(' ')} | ${verified ?? ''} |`;
      },
    ),
  );
  const rowsOf = (names: readonly string[], columns: number) =>
    lines.filter(
      (line) =>
        names.some((name) => line.startsWith(`| ${name} |`)) &&
        line.replaceAll('\\|', '').split('|').length === columns + 2,
    );
  const names = LANGUAGES.map(({ name }) => name);
  assert.deepEqual(rowsOf(names, 4), languages);
  assert.deepEqual(rowsOf(names, 7), frameworks);
});
