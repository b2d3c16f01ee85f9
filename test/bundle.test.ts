import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtempDisposable, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { spawnReadyServer } from './support/process.ts';
import { startTraceCollector } from './support/trace-collector.ts';

const ROOT = new URL('..', import.meta.url).pathname;

test('the server runs as one bundle, and finds its threads, scripts and pages', async () => {
  // Within the project, for the packages that stay outside of the bundle.
  const output = join(ROOT, 'node_modules/.cache', `bundle-${process.pid}`);
  await mkdir(output, { recursive: true });
  // Traces are sent by packages that the server loads only for them.
  await using collector = await startTraceCollector();
  await using data = await mkdtempDisposable(join(tmpdir(), 'simcha-bundle-'));
  try {
    execFileSync(process.execPath, ['commands/bundle.ts', output], { cwd: ROOT, stdio: 'pipe' });
    const server = await spawnReadyServer(
      { DATA_DIR: data.path, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
      { main: join(output, 'serve.js') },
    );
    const answers = await Promise.all(
      ['/healthz', '/readyz', '/openapi.json', '/', '/api/events/%ff'].map(
        async (path) => (await fetch(server.url + path)).status,
      ),
    );
    // The last one tells whether code that only may throw is still there.
    assert.deepEqual(answers, [200, 200, 200, 200, 401]);
    server.child.kill();
    assert.equal(await server.ended, 0);
    assert.ok(collector.spans.some(({ name }) => name === 'GET /openapi.json'));
  } finally {
    await rm(output, { recursive: true });
  }
});
