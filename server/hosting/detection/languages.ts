import type { Program } from '../model/plan.ts';

/**
 * Language other than JavaScript: how it is recognised, what it needs, and how its sites are installed, built and
 * started.
 */
export interface Language {
  name: string;
  /** Files by which the language is recognised; the first existing one also determines the installation. */
  files: readonly IdentifyingFile[];
  /** Programs that the machine must have for the language. */
  programs: readonly Program[];
  /**
   * Command of npm that installs the language's program for one site, so that the machine need not have the program.
   */
  brings?: string;
  variables?: Readonly<Record<string, string>>;
  /** Frameworks of the language, in order of precedence. */
  frameworks: readonly LanguageFramework[];
  /** Example of a start command in the language, for error messages. */
  example: string;
  source: string;
}

export interface IdentifyingFile {
  file: string;
  /** Pattern that the content of the identifying file must match for the language to be recognised. */
  content?: RegExp;
  install?: string;
  /** Programs that the machine must have besides those of the language. */
  programs?: readonly Program[];
  /**
   * True if the language's installer checks the requested version of the language itself: it installs that version or
   * fails.
   */
  checksVersion?: true;
  source?: string;
}

/**
 * Framework, or another kind of site, of a programming language. Placeholders in its commands: `{file}`, `{module}` and
 * `{name}` stand for the entry file that `entry` finds, `{folder}` for the subfolder that `below` finds.
 */
export interface LanguageFramework {
  name: string;
  /** Packages by which the framework is recognised: one of them must be among the dependencies. */
  packages?: readonly string[];
  /** Files by which the framework is recognised: one of them must exist; `*` stands for any name. */
  files?: readonly string[];
  /** Folder by which the framework is recognised, if it has exactly one subfolder. */
  below?: string;
  /** Names of tasks; the first existing task without `--watch` replaces `{name}` in the command. */
  task?: readonly string[];
  /**
   * Entry file: the first of `files` whose content matches the pattern `says`; the pattern's first group gives
   * `{name}`. `shown`: what the content must have, in words for error messages.
   */
  entry?: { files: readonly string[]; says: RegExp; shown: string };
  kind: 'server' | 'static';
  /** Commands that build the site; the first one is used whose packages or task the source has. */
  builds?: readonly CommandVariant[];
  starts?: readonly CommandVariant[];
  publish?: readonly string[];
  /** Package that the source must add if no start command applies. */
  needs?: string;
  variables?: Readonly<Record<string, string>>;
  source: string;
  /** Version of the framework that was tested: installed, built, and, if it is a server, requested over HTTP. */
  verified?: string;
}

export interface CommandVariant {
  command: string;
  packages?: readonly string[];
  /** Name of a task that the source must have for the command to apply. */
  task?: string;
}

const WSGI = [
  'app.py',
  'wsgi.py',
  'main.py',
  'application.py',
  'server.py',
  'app/__init__.py',
  'app/main.py',
];
const ASGI = ['main.py', 'app.py', 'asgi.py', 'server.py', 'api.py', 'app/main.py', 'src/main.py'];

/**
 * Commands that start a server for a WSGI application of Python; the application is named by its module and variable.
 */
const WSGI_SERVERS: readonly CommandVariant[] = [
  { command: 'gunicorn {module}:{name} --bind $HOST:$PORT', packages: ['gunicorn'] },
  { command: 'waitress-serve --listen=$HOST:$PORT {module}:{name}', packages: ['waitress'] },
];
const UVICORN = 'uvicorn {module}:{name} --host $HOST --port $PORT';

const PYTHON: Language = {
  name: 'Python',
  files: [
    {
      file: 'uv.lock',
      install:
        'python3 -m venv ~/.uv && ~/.uv/bin/pip install uv && UV_LINK_MODE=copy UV_PYTHON_INSTALL_DIR=.python ~/.uv/bin/uv sync --locked --no-dev',
      checksVersion: true,
      source: 'https://docs.astral.sh/uv/concepts/projects/sync/',
    },
    {
      file: 'poetry.lock',
      install:
        'python3 -m venv ~/.poetry && ~/.poetry/bin/pip install poetry && POETRY_VIRTUALENVS_IN_PROJECT=true ~/.poetry/bin/poetry install --only main',
      source: 'https://python-poetry.org/docs/cli/#install',
    },
    {
      file: 'Pipfile.lock',
      install:
        'python3 -m venv ~/.pipenv && ~/.pipenv/bin/pip install pipenv && PIPENV_VENV_IN_PROJECT=1 ~/.pipenv/bin/pipenv sync',
      source: 'https://pipenv.pypa.io/en/latest/commands.html',
    },
    {
      file: 'requirements.txt',
      install: 'python3 -m venv .venv && .venv/bin/pip install --requirement requirements.txt',
      source: 'https://pip.pypa.io/en/stable/user_guide/#requirements-files',
    },
    {
      file: 'pyproject.toml',
      content: /^\[(project|tool\.poetry)\]/m,
      install: 'python3 -m venv .venv && .venv/bin/pip install .',
      source: 'https://packaging.python.org/en/latest/guides/writing-pyproject-toml/',
    },
  ],
  programs: [
    {
      name: 'Python',
      check: `python3 -c 'import ensurepip, platform; print(platform.python_version())'`,
      package: 'python3-venv',
    },
  ],
  frameworks: [
    {
      name: 'Django',
      packages: ['django'],
      entry: {
        files: ['manage.py'],
        says: /DJANGO_SETTINGS_MODULE['"],\s*['"](\w+(?:\.\w+)*?)\.settings\b/,
        shown: 'DJANGO_SETTINGS_MODULE',
      },
      kind: 'server',
      // Django collects static files only into a folder that its settings name; sources with the package whitenoise
      // have this setting.
      builds: [{ command: '.venv/bin/python manage.py collectstatic --noinput', packages: ['whitenoise'] }],
      starts: [
        { command: 'gunicorn {name}.wsgi --bind $HOST:$PORT', packages: ['gunicorn'] },
        { command: 'uvicorn {name}.asgi:application --host $HOST --port $PORT', packages: ['uvicorn'] },
        { command: 'daphne -b $HOST -p $PORT {name}.asgi:application', packages: ['daphne'] },
        { command: 'waitress-serve --listen=$HOST:$PORT {name}.wsgi:application', packages: ['waitress'] },
      ],
      needs: 'gunicorn',
      source: 'https://docs.djangoproject.com/en/stable/howto/deployment/wsgi/gunicorn/',
      verified: '3.2.25',
    },
    {
      name: 'FastAPI',
      packages: ['fastapi'],
      entry: {
        files: ASGI,
        says: /^(\w+)(?:[ \t]*:[ \t]*[\w.]+)?[ \t]*=[ \t]*(?:fastapi\.)?FastAPI\(/m,
        shown: 'app = FastAPI(',
      },
      kind: 'server',
      starts: [{ command: UVICORN, packages: ['uvicorn', 'fastapi[standard]', 'fastapi[all]'] }],
      needs: 'uvicorn',
      source: 'https://fastapi.tiangolo.com/deployment/manually/',
      verified: '0.92.0',
    },
    {
      name: 'Streamlit',
      packages: ['streamlit'],
      entry: {
        files: ['streamlit_app.py', 'app.py', 'main.py', 'Home.py'],
        says: /^[ \t]*(?:import|from)[ \t]+(streamlit)\b/m,
        shown: 'import streamlit',
      },
      kind: 'server',
      starts: [
        {
          command:
            'streamlit run {file} --server.address $HOST --server.port $PORT --server.headless true --browser.gatherUsageStats false',
        },
      ],
      source: 'https://docs.streamlit.io/develop/concepts/configuration/options',
    },
    {
      name: 'Flask',
      packages: ['flask'],
      entry: {
        files: WSGI,
        says: /^(\w+)(?:[ \t]*:[ \t]*[\w.]+)?[ \t]*=[ \t]*(?:(?:flask\.)?Flask|create_app|make_app)\(/m,
        shown: 'app = Flask(',
      },
      kind: 'server',
      starts: WSGI_SERVERS,
      needs: 'gunicorn',
      source: 'https://flask.palletsprojects.com/en/stable/deploying/gunicorn/',
      verified: '2.2.2',
    },
    {
      name: 'Starlette',
      packages: ['starlette'],
      entry: {
        files: ASGI,
        says: /^(\w+)(?:[ \t]*:[ \t]*[\w.]+)?[ \t]*=[ \t]*Starlette\(/m,
        shown: 'app = Starlette(',
      },
      kind: 'server',
      starts: [{ command: UVICORN, packages: ['uvicorn'] }],
      needs: 'uvicorn',
      source: 'https://www.starlette.io/#example',
    },
    {
      name: 'MkDocs',
      packages: ['mkdocs', 'mkdocs-material'],
      files: ['mkdocs.yml', 'mkdocs.yaml'],
      kind: 'static',
      builds: [{ command: 'mkdocs build' }],
      publish: ['site'],
      source: 'https://www.mkdocs.org/user-guide/deploying-your-docs/',
      verified: '1.4.2',
    },
  ],
  example: 'gunicorn app:app --bind $HOST:$PORT',
  source: 'https://docs.python.org/3/library/venv.html',
};

const BUILT_IN_SERVER = 'https://www.php.net/manual/en/features.commandline.webserver.php';

const PHP: Language = {
  name: 'PHP',
  files: [
    {
      file: 'composer.json',
      install: 'composer install --no-dev --no-interaction --no-progress --optimize-autoloader',
      programs: [{ name: 'Composer', check: 'composer --version --no-ansi', package: 'composer' }],
      source: 'https://getcomposer.org/doc/03-cli.md#install-i',
    },
    { file: 'index.php' },
    { file: 'public/index.php' },
  ],
  programs: [{ name: 'PHP', check: `php -r 'echo PHP_VERSION, "\\n";'`, package: 'php-cli' }],
  // PHP's built-in server otherwise handles one request at a time.
  variables: { PHP_CLI_SERVER_WORKERS: '4' },
  frameworks: [
    {
      name: 'Laravel',
      packages: ['laravel/framework'],
      kind: 'server',
      starts: [
        {
          command:
            'cd public && exec php -S $HOST:$PORT ../vendor/laravel/framework/src/Illuminate/Foundation/resources/server.php',
        },
      ],
      variables: { APP_ENV: 'production', APP_DEBUG: 'false', LOG_CHANNEL: 'stderr' },
      source: 'https://laravel.com/docs/deployment',
    },
    {
      name: 'Symfony',
      packages: ['symfony/framework-bundle'],
      files: ['public/index.php'],
      kind: 'server',
      starts: [{ command: 'php -S $HOST:$PORT -t public' }],
      variables: { APP_ENV: 'prod', APP_DEBUG: '0' },
      source: 'https://symfony.com/doc/current/deployment.html',
    },
    {
      name: 'PHP (public)',
      files: ['public/index.php'],
      kind: 'server',
      starts: [{ command: 'php -S $HOST:$PORT -t public' }],
      source: BUILT_IN_SERVER,
      verified: '8.2.36',
    },
    {
      name: 'PHP',
      files: ['index.php'],
      kind: 'server',
      starts: [{ command: 'php -S $HOST:$PORT' }],
      source: BUILT_IN_SERVER,
    },
  ],
  example: 'php -S $HOST:$PORT -t public',
  source: BUILT_IN_SERVER,
};

const RUBY: Language = {
  name: 'Ruby',
  files: [
    {
      file: 'Gemfile.lock',
      install: 'BUNDLE_FROZEN=true bundle install',
      source: 'https://bundler.io/man/bundle-install.1.html',
    },
    { file: 'Gemfile', install: 'bundle install', source: 'https://bundler.io/man/bundle-install.1.html' },
  ],
  programs: [
    { name: 'Ruby', check: `ruby -e 'puts RUBY_VERSION'`, package: 'ruby' },
    { name: 'Bundler', check: 'bundle --version', package: 'ruby-bundler' },
  ],
  variables: {
    BUNDLE_PATH: 'vendor/bundle',
    BUNDLE_WITHOUT: 'development:test',
    RACK_ENV: 'production',
    APP_ENV: 'production',
  },
  frameworks: [
    {
      name: 'Rails',
      packages: ['rails'],
      files: ['config.ru'],
      kind: 'server',
      builds: [
        {
          command: 'SECRET_KEY_BASE_DUMMY=1 bundle exec rails assets:precompile',
          packages: ['propshaft', 'sprockets-rails'],
        },
      ],
      starts: [{ command: 'bundle exec rails server --binding $HOST --port $PORT' }],
      variables: {
        RAILS_ENV: 'production',
        RAILS_LOG_TO_STDOUT: '1',
        RAILS_SERVE_STATIC_FILES: '1',
      },
      source: 'https://guides.rubyonrails.org/configuring.html',
    },
    {
      name: 'Jekyll',
      packages: ['jekyll', 'github-pages'],
      files: ['_config.yml', '_config.yaml'],
      kind: 'static',
      builds: [{ command: 'bundle exec jekyll build' }],
      publish: ['_site'],
      source: 'https://jekyllrb.com/docs/deployment/',
    },
    {
      name: 'Rack',
      files: ['config.ru'],
      kind: 'server',
      starts: [
        { command: 'bundle exec puma --bind tcp://$HOST:$PORT', packages: ['puma'] },
        { command: 'bundle exec falcon serve --bind http://$HOST:$PORT', packages: ['falcon'] },
        { command: 'bundle exec unicorn --listen $HOST:$PORT', packages: ['unicorn'] },
        { command: 'bundle exec rackup --host $HOST --port $PORT', packages: ['thin', 'webrick'] },
      ],
      needs: 'puma',
      source: 'https://github.com/rack/rackup',
      verified: '2.2.22',
    },
    {
      name: 'Sinatra',
      packages: ['sinatra'],
      entry: {
        files: ['app.rb', 'main.rb', 'server.rb', 'web.rb'],
        says: /^[ \t]*require[ \t]*(?:\([ \t]*)?['"](sinatra)['"]/m,
        shown: "require 'sinatra'",
      },
      kind: 'server',
      starts: [{ command: 'bundle exec ruby {file} -o $HOST -p $PORT' }],
      source: 'https://sinatrarb.com/intro.html',
      verified: '3.0.5',
    },
  ],
  example: 'bundle exec puma --bind tcp://$HOST:$PORT',
  source: 'https://bundler.io/guides/getting_started.html',
};

const GO_SERVER = '.build/server';

const GO: Language = {
  name: 'Go',
  files: [{ file: 'go.mod' }],
  programs: [{ name: 'Go', check: 'go version', package: 'golang-go' }],
  // Without this flag, Go makes the modules that it downloads read-only, and the platform could not delete them with
  // the site.
  variables: { GOFLAGS: '-modcacherw' },
  frameworks: [
    {
      name: 'Go (main.go)',
      files: ['main.go'],
      kind: 'server',
      builds: [{ command: `go build -o ${GO_SERVER} .` }],
      starts: [{ command: `./${GO_SERVER}` }],
      source: 'https://go.dev/ref/mod#go-mod-file',
    },
    {
      name: 'Go (cmd)',
      below: 'cmd',
      kind: 'server',
      builds: [{ command: `go build -o ${GO_SERVER} ./{folder}` }],
      starts: [{ command: `./${GO_SERVER}` }],
      source: 'https://go.dev/doc/modules/layout',
      verified: '1.19.8',
    },
    {
      name: 'Go',
      files: ['*.go'],
      kind: 'server',
      builds: [{ command: `go build -o ${GO_SERVER} .` }],
      starts: [{ command: `./${GO_SERVER}` }],
      source: 'https://go.dev/doc/modules/layout',
    },
  ],
  example: './.build/server',
  source: 'https://go.dev/doc/tutorial/compile-install',
};

const DENO_PROGRAM = './.deno/node_modules/deno/deno';
const PROGRAM_FILES = ['main.ts', 'server.ts', 'main.js', 'server.js', 'index.ts', 'src/main.ts', 'main.tsx'];

const DENO: Language = {
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

const HUGO_SOURCE = 'https://gohugo.io/host-and-deploy/';
const HUGO_FILES = ['hugo.toml', 'hugo.yaml', 'config/_default/hugo.toml'];
/**
 * Names of Hugo's settings files that other programs use too, so that such a file alone does not prove that the source
 * is for Hugo.
 */
const OLD_HUGO_FILES = ['config.toml', 'config.yaml', 'config/_default/config.toml'];

const HUGO: Language = {
  name: 'Hugo',
  files: [
    ...HUGO_FILES.map((file) => ({ file })),
    ...OLD_HUGO_FILES.map((file) => ({ file, content: /^\s*(?:baseURL|languageCode)\s*[:=]/im })),
  ],
  programs: [{ name: 'Hugo', check: 'hugo version', package: 'hugo' }],
  frameworks: [
    {
      name: 'Hugo',
      files: [...HUGO_FILES, ...OLD_HUGO_FILES],
      kind: 'static',
      // Hugo's links are absolute, and the address in its settings is often only an example.
      builds: [{ command: 'hugo --baseURL "$SIMCHA_URL/"' }],
      publish: ['public'],
      source: HUGO_SOURCE,
      verified: '0.111.3',
    },
  ],
  example: 'hugo server --bind $HOST --port $PORT',
  source: HUGO_SOURCE,
};

/** Supported languages besides JavaScript. docs/apps.md has the same tables. */
export const LANGUAGES: readonly Language[] = [PYTHON, PHP, RUBY, GO, DENO, HUGO];

/** Programs that a start command needs, by its first word; used if the source's language was not recognised. */
const STARTERS: Readonly<Record<string, readonly Program[]>> = {
  python3: [
    {
      name: 'Python',
      check: `python3 -c 'import platform; print(platform.python_version())'`,
      package: 'python3',
    },
  ],
  php: PHP.programs,
  ruby: RUBY.programs.slice(0, 1),
  bundle: RUBY.programs,
  go: GO.programs,
};

/** Programs that the machine must have for a start command, judging by the command's first word. */
export function programsOf(command: string): readonly Program[] {
  const [word = ''] = command.trim().split(/\s/, 1);
  return Object.hasOwn(STARTERS, word) ? (STARTERS[word] ?? []) : [];
}

/**
 * Further files that are read to detect a language: they request a version of the language, or may be a program's entry
 * file. Files by which a language is recognised are listed elsewhere.
 */
const OTHER_TEXTS = [
  '.python-version',
  'runtime.txt',
  '.ruby-version',
  'Gemfile',
  'Pipfile',
  'requirements.txt',
  'pyproject.toml',
];
/** Folders of a source that may contain the entry file of a program. */
export const ENTRY_FOLDERS = ['app', 'src'] as const;
/** Folders that may have many subfolders or settings files, such as `cmd`, with one folder for each program. */
export const CROWDED_FOLDERS = ['cmd', 'config/_default'] as const;

/** Paths of all files that are read for any of the supported languages. */
export const LANGUAGE_TEXTS: ReadonlySet<string> = new Set([
  ...OTHER_TEXTS,
  ...LANGUAGES.flatMap(({ files, frameworks }) => [
    ...files.map(({ file }) => file),
    ...frameworks.flatMap(({ entry }) => entry?.files ?? []),
  ]),
]);
