import type { CommandVariant, IdentifyingFile, Language } from './language.ts';

const WSGI = [
  'app.py',
  'wsgi.py',
  'main.py',
  'application.py',
  'server.py',
  'run.py',
  'index.py',
  'app/__init__.py',
  'app/main.py',
  'src/app.py',
  'src/main.py',
];
const ASGI = [
  'main.py',
  'app.py',
  'asgi.py',
  'server.py',
  'api.py',
  'index.py',
  'app/main.py',
  'app/__init__.py',
  'src/main.py',
  'src/app.py',
];

/** Module-level variable that a call of the given function sets; a type may be annotated. */
const assignment = (call: string) =>
  new RegExp(String.raw`^(\w+)(?:[ \t]*:[ \t]*[\w.]+)?[ \t]*=[ \t]*${call}\(`, 'm');
/** Function that makes an application and can be called without arguments. */
const FACTORY = /^(?:async[ \t]+)?def[ \t]+(create_app|make_app)\((?:[ \t]*\)|[^)=]*=)/m;

/**
 * Commands that start a server for an application of Python, which is named by its module and variable. gunicorn
 * without threads handles one request at a time.
 */
const WSGI_SERVERS: readonly CommandVariant[] = [
  { command: 'gunicorn {module}:{name} --bind $HOST:$PORT --threads 4', packages: ['gunicorn'] },
  { command: 'waitress-serve --listen=$HOST:$PORT {module}:{name}', packages: ['waitress'] },
];
const WSGI_FACTORIES: readonly CommandVariant[] = [
  { command: "gunicorn '{module}:{name}()' --bind $HOST:$PORT --threads 4", packages: ['gunicorn'] },
  { command: 'waitress-serve --listen=$HOST:$PORT --call {module}:{name}', packages: ['waitress'] },
];
const HYPERCORN: CommandVariant = {
  command: 'hypercorn {module}:{name} --bind $HOST:$PORT',
  packages: ['hypercorn'],
};
const asgiServers = (...packages: string[]): readonly CommandVariant[] => [
  { command: 'uvicorn {module}:{name} --host $HOST --port $PORT', packages: ['uvicorn', ...packages] },
  HYPERCORN,
];

/** Installs a package manager of Python into the home of builds, where the next build finds it. */
const withManager = (name: string, command: string) =>
  `python3 -m venv ~/.${name} && ~/.${name}/bin/pip install --quiet --upgrade ${name} && ${command}`;
const uv = (options: string) =>
  withManager('uv', `UV_LINK_MODE=copy UV_PYTHON_INSTALL_DIR=.python ~/.uv/bin/uv sync${options} --no-dev`);
const POETRY = withManager(
  'poetry',
  'POETRY_VIRTUALENVS_IN_PROJECT=true ~/.poetry/bin/poetry install --only main',
);
const pipenv = (options: string) =>
  withManager('pipenv', `PIPENV_VENV_IN_PROJECT=1 ~/.pipenv/bin/pipenv install${options}`);
const PIP = 'python3 -m venv .venv && .venv/bin/pip install';
const MANIFEST = 'pyproject.toml';
const UV_SOURCE = 'https://docs.astral.sh/uv/concepts/projects/sync/';
const POETRY_SOURCE = 'https://python-poetry.org/docs/cli/#install';
const PIPENV_SOURCE = 'https://pipenv.pypa.io/en/latest/commands.html';

const FILES: readonly IdentifyingFile[] = [
  {
    file: 'uv.lock',
    isInherited: true,
    manifest: MANIFEST,
    install: uv(' --locked'),
    checksVersion: true,
    source: UV_SOURCE,
  },
  { file: 'poetry.lock', manifest: MANIFEST, install: POETRY, checksVersion: true, source: POETRY_SOURCE },
  { file: 'Pipfile.lock', manifest: 'Pipfile', install: pipenv(' --deploy'), source: PIPENV_SOURCE },
  {
    file: 'requirements.txt',
    install: `${PIP} --requirement requirements.txt`,
    source: 'https://pip.pypa.io/en/stable/user_guide/#requirements-files',
  },
  { file: 'Pipfile', isUnlocked: true, install: pipenv(''), source: PIPENV_SOURCE },
  {
    file: MANIFEST,
    isUnlocked: true,
    content: { says: /^\[tool\.poetry\]/m, shown: '[tool.poetry]' },
    install: POETRY,
    checksVersion: true,
    source: POETRY_SOURCE,
  },
  {
    file: MANIFEST,
    isUnlocked: true,
    content: { says: /^\[project\]/m, shown: '[project]' },
    install: uv(''),
    checksVersion: true,
    source: UV_SOURCE,
  },
  {
    file: 'setup.cfg',
    isUnlocked: true,
    content: { says: /^install_requires\b/m, shown: 'install_requires' },
    install: `${PIP} .`,
    source: 'https://setuptools.pypa.io/en/latest/userguide/declarative_config.html',
  },
  {
    file: 'setup.py',
    isUnlocked: true,
    install: `${PIP} .`,
    source: 'https://pip.pypa.io/en/stable/cli/pip_install/',
  },
];

export const PYTHON: Language = {
  name: 'Python',
  files: FILES,
  programs: [
    {
      name: 'Python',
      check: `python3 -c 'import ensurepip, platform; print(platform.python_version())'`,
      package: 'python3-venv',
    },
  ],
  // gunicorn and uvicorn then take the scheme and the visitor's address from the gateway, which alone reaches a site.
  variables: { FORWARDED_ALLOW_IPS: '*' },
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
      builds: [{ command: '.venv/bin/python manage.py collectstatic --noinput', setting: 'STATIC_ROOT' }],
      starts: [
        { command: 'gunicorn {name}.wsgi --bind $HOST:$PORT --threads 4', packages: ['gunicorn'] },
        { command: 'uvicorn {name}.asgi:application --host $HOST --port $PORT', packages: ['uvicorn'] },
        { command: 'daphne -b $HOST -p $PORT {name}.asgi:application', packages: ['daphne'] },
        { command: 'hypercorn {name}.asgi:application --bind $HOST:$PORT', packages: ['hypercorn'] },
        { command: 'waitress-serve --listen=$HOST:$PORT {name}.wsgi:application', packages: ['waitress'] },
      ],
      needs: 'gunicorn',
      servesFilesBy: ['whitenoise', 'django-storages', 'servestatic', 'dj-static'],
      source: 'https://docs.djangoproject.com/en/stable/howto/deployment/wsgi/gunicorn/',
      verified: '5.2.8',
    },
    {
      name: 'FastAPI',
      packages: ['fastapi'],
      entry: { files: ASGI, says: assignment(String.raw`(?:fastapi\.)?FastAPI`), shown: 'app = FastAPI(' },
      kind: 'server',
      starts: asgiServers('fastapi[standard]', 'fastapi[all]'),
      needs: 'uvicorn',
      source: 'https://fastapi.tiangolo.com/deployment/manually/',
      verified: '0.165.0',
    },
    {
      name: 'FastAPI (factory)',
      packages: ['fastapi'],
      entry: { files: ASGI, says: FACTORY, shown: 'def create_app(' },
      kind: 'server',
      starts: [
        {
          command: 'uvicorn --factory {module}:{name} --host $HOST --port $PORT',
          packages: ['uvicorn', 'fastapi[standard]', 'fastapi[all]'],
        },
      ],
      needs: 'uvicorn',
      source: 'https://www.uvicorn.org/#application-factories',
    },
    {
      name: 'Streamlit',
      packages: ['streamlit'],
      entry: {
        files: ['streamlit_app.py', 'app.py', 'main.py', 'Home.py', 'src/streamlit_app.py'],
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
      verified: '1.67.0',
    },
    {
      name: 'Flask',
      packages: ['flask'],
      entry: {
        files: WSGI,
        says: assignment(String.raw`(?:(?:flask\.)?Flask|(?:\w+\.)*(?:create_app|make_app))`),
        shown: 'app = Flask(',
      },
      kind: 'server',
      starts: WSGI_SERVERS,
      needs: 'gunicorn',
      source: 'https://flask.palletsprojects.com/en/stable/deploying/gunicorn/',
      verified: '3.1.3',
    },
    {
      name: 'Flask (factory)',
      packages: ['flask'],
      entry: { files: WSGI, says: FACTORY, shown: 'def create_app(' },
      kind: 'server',
      starts: WSGI_FACTORIES,
      needs: 'gunicorn',
      source: 'https://flask.palletsprojects.com/en/stable/patterns/appfactories/',
    },
    {
      name: 'Starlette',
      packages: ['starlette'],
      entry: { files: ASGI, says: assignment('Starlette'), shown: 'app = Starlette(' },
      kind: 'server',
      starts: asgiServers(),
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
