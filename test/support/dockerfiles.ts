import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '../../server/hosting/engine/engine.ts';
import { RuntimeFailure } from '../../server/hosting/model/reasons/failure.ts';
import type { StartOrder } from '../../server/hosting/runtimes/runtime.ts';
import type { OpenedRuntime } from './containers.ts';
import { answerOf, originsOf, type Site, serverCode } from './runtime.ts';

// Helpers for tests of applications whose repository has its own Dockerfile.

const NEVER = new AbortController().signal;

/** Site with this Dockerfile; `about` becomes the contents of its file simcha.json. */
export const siteOf = (
  dockerfile: string[],
  files: Record<string, string> = {},
  about: object = {},
): Site => ({
  files: { Dockerfile: dockerfile.join('\n'), 'simcha.json': JSON.stringify(about), ...files },
});

export const serverFile = (expression: string) => ({ 'server.js': serverCode(expression) });

/** Adds the program busybox to the site's files, so that its Dockerfile can call the programs of busybox by path. */
export const withBusybox = (site: Site): Site => ({
  ...site,
  prepare: (folder) => copyFile('/bin/busybox', join(folder, 'busybox')),
});

export const startAndAsk = async (at: OpenedRuntime, order: StartOrder) => {
  const started = await at.runtime.start(order);
  const { port } = started;
  const [origin = ''] = originsOf(started);
  return { port, text: await answerOf({ targets: [{ kind: 'server', origin }] }) };
};

export const imageOf = ({ artifact }: Pick<StartOrder, 'artifact'>) => {
  assert.ok(artifact.kind === 'image' && artifact.own);
  return artifact.image;
};

export const failureOf = async (work: Promise<unknown>) => {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof RuntimeFailure, String(error));
    return { code: error.reason.code, message: error.message };
  }
  assert.fail('it was built');
};

/** Untagged images that the stages of an application's builds have left on the engine. */
export const untaggedImages = async (engine: Engine, applicationId: string) => {
  const images = await engine.images({}, NEVER);
  return images.filter(
    ({ Labels, RepoTags }) =>
      Labels?.['simcha.stage']?.endsWith(applicationId) &&
      !RepoTags?.some((tag) => !tag.startsWith('<none>')),
  );
};
