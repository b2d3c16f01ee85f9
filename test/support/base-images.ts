import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtempDisposable, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { REGISTRY } from '../../commands/cluster/registry.ts';
import { findTools } from '../../server/hosting/sandbox/tools.ts';

// Makes the base images that the Dockerfile and the compose files name (such as `debian:bookworm-slim`) from Debian's
// packages, because tests download no images from a registry.

const run = promisify(execFile);
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const OWN_CERTIFICATES = '/usr/local/share/ca-certificates';
const POSTGRES = '/usr/lib/postgresql/15';
/** Settings file of the official registry image, written as JSON, which is valid YAML. */
const REGISTRY_SETTINGS = {
  version: '0.1',
  storage: { filesystem: { rootdirectory: '/var/lib/registry' } },
  http: { addr: ':5000' },
};
const NOT_IN_AN_IMAGE = ['./proc/*', './sys/*', './dev/*', './var/cache/apt/*', './var/lib/apt/lists/*'];

/**
 * Entry point of the PostgreSQL image that tests make. It has only those features of the official image's entry point
 * that the compose files use.
 */
const ENTRYPOINT = `#!/bin/sh
set -eu
export PGDATA=/var/lib/postgresql/data
if [ "$(id -u)" = 0 ]; then
  chown postgres "$PGDATA"
  exec setpriv --reuid postgres --regid postgres --clear-groups "$0" "$@"
fi
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  printf %s "$POSTGRES_PASSWORD" >/tmp/password
  initdb --username "$POSTGRES_USER" --pwfile /tmp/password --encoding UTF8 --locale C.UTF-8 --auth-host scram-sha-256
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  printf 'create database "%s"\\n' "$POSTGRES_DB" | postgres --single -j postgres
fi
exec postgres -c listen_addresses='*'
`;

/**
 * Makes the images `debian:bookworm-slim`, `node:22-bookworm-slim`, `postgres:15-bookworm` and `registry:2` in the
 * Docker engine that listens on this socket.
 */
export async function makeBaseImages(socket: string): Promise<void> {
  const docker = (...args: string[]) =>
    execFileSync('/usr/bin/docker', ['--host', `unix://${socket}`, ...args]);
  await using folder = await mkdtempDisposable('/tmp/simcha-base-');
  const at = (...names: string[]) => join(folder.path, ...names);

  await run('debootstrap', ['--variant=minbase', 'bookworm', at('debian'), 'http://deb.debian.org/debian']);
  // A machine behind a proxy may have its own certificate authority, which images need for downloads.
  if (existsSync(OWN_CERTIFICATES))
    await cp(OWN_CERTIFICATES, at('debian', OWN_CERTIFICATES), { recursive: true });
  // Official Debian images do not keep downloaded packages, so apt is set to delete them.
  await writeFile(
    at('debian/etc/apt/apt.conf.d/docker-clean'),
    'DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb"; };\n',
  );
  const excluded = NOT_IN_AN_IMAGE.map((path) => `--exclude=${path}`);
  execFileSync('tar', [
    '--create',
    '--file',
    at('debian.tar'),
    '--directory',
    at('debian'),
    ...excluded,
    '.',
  ]);
  docker('import', '--change', 'CMD ["bash"]', at('debian.tar'), 'debian:bookworm-slim');

  const { node, npm = '' } = findTools();
  await mkdir(at('node/usr/local/bin'), { recursive: true });
  await cp(node, at('node/usr/local/bin/node'));
  await cp(npm, at('node/usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx']) {
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, at('node/usr/local/bin', name));
  }
  await copyLibraries([node], at('debian'), at('node'));
  await mkdir(at('node', dirname(CERTIFICATES)), { recursive: true });
  await cp(CERTIFICATES, at('node', CERTIFICATES), { dereference: true });
  await writeFile(
    at('node/Dockerfile'),
    `FROM debian:bookworm-slim\nCOPY . /\nENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}\nCMD ["node"]\n`,
  );
  docker('build', '--tag', 'node:22-bookworm-slim', at('node'));

  for (const path of [`${POSTGRES}/bin`, `${POSTGRES}/lib`, '/usr/share/postgresql/15']) {
    await cp(path, at('postgres', path), {
      recursive: true,
      filter: (name) => !/bitcode|llvm|\.mo$/.test(name),
    });
  }
  const programs = (await readdir(`${POSTGRES}/bin`)).map((name) => join(POSTGRES, 'bin', name));
  await copyLibraries(programs, at('debian'), at('postgres'));
  await writeFile(at('postgres/entrypoint.sh'), ENTRYPOINT);
  await chmod(at('postgres/entrypoint.sh'), 0o755);
  await writeFile(
    at('postgres/Dockerfile'),
    `FROM debian:bookworm-slim
COPY . /
RUN useradd --system --uid 999 postgres \\
  && install --directory --owner postgres /var/lib/postgresql/data /var/run/postgresql && ldconfig
ENV PATH=${POSTGRES}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
VOLUME /var/lib/postgresql/data
ENTRYPOINT ["/entrypoint.sh"]
`,
  );
  docker('build', '--tag', 'postgres:15-bookworm', at('postgres'));

  await mkdir(at('registry'));
  await cp(REGISTRY, at('registry/registry'));
  await writeFile(at('registry/config.yml'), JSON.stringify(REGISTRY_SETTINGS));
  await writeFile(
    at('registry/Dockerfile'),
    `FROM debian:bookworm-slim
COPY registry /bin/
COPY config.yml /etc/docker/registry/
VOLUME /var/lib/registry
ENTRYPOINT ["registry"]
CMD ["serve", "/etc/docker/registry/config.yml"]
`,
  );
  docker('build', '--tag', 'registry:2', at('registry'));
}

/** Copies the libraries of this machine that programs need and that the image `base` does not have. */
async function copyLibraries(programs: readonly string[], base: string, to: string): Promise<void> {
  const { stdout } = await run('ldd', [...programs]);
  for (const path of new Set([...stdout.matchAll(/=> (\/\S+)/g)].map(([, path = '']) => path))) {
    // In the base image, /lib is a link to /usr/lib and must stay a link.
    const merged = path.replace(/^\/lib\//, '/usr/lib/');
    if (!existsSync(join(base, merged))) await cp(path, join(to, merged), { dereference: true });
  }
}
