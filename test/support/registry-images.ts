import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

// Makes images and pushes them to a registry without a container engine. The images can have any date, so that a test
// can have images of an earlier day.

const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';
const CONFIG = 'application/vnd.docker.container.image.v1+json';
const LAYER = 'application/vnd.docker.image.rootfs.diff.tar.gzip';
/** Tar archive without entries. */
const NOTHING = Buffer.alloc(1024);

export interface Pushed {
  /** Address of the image's repository in the registry, such as `http://127.0.0.1:5000/v2/sites/one`. */
  at: string;
  authorization: string;
  tag: string;
  labels: Readonly<Record<string, string>>;
  created?: Date;
  /** Content of the image's only layer, as a tar archive. */
  content?: Buffer;
}

/** Pushes an image to a registry and returns the image's digest. */
export async function pushImage({
  at,
  authorization,
  tag,
  labels,
  created = new Date(),
  content = NOTHING,
}: Pushed): Promise<string> {
  const layer = gzipSync(content);
  const config = Buffer.from(
    JSON.stringify({
      architecture: 'amd64',
      os: 'linux',
      created: created.toISOString(),
      config: { Labels: labels, Cmd: ['/nothing'] },
      rootfs: { type: 'layers', diff_ids: [digestOf(content)] },
      history: [{ created: created.toISOString() }],
    }),
  );
  const put = async (url: URL, type: string, body: Buffer) => {
    const headers = { authorization, 'content-type': type };
    const answer = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(body) });
    if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
  };
  for (const blob of [layer, config]) {
    const begun = await fetch(`${at}/blobs/uploads/`, { method: 'POST', headers: { authorization } });
    const url = new URL(begun.headers.get('location') ?? '', at);
    url.searchParams.set('digest', digestOf(blob));
    await put(url, 'application/octet-stream', blob);
  }
  const told = (mediaType: string, blob: Buffer) => ({
    mediaType,
    size: blob.length,
    digest: digestOf(blob),
  });
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MANIFEST,
      config: told(CONFIG, config),
      layers: [told(LAYER, layer)],
    }),
  );
  await put(new URL(`${at}/manifests/${tag}`), MANIFEST, manifest);
  return digestOf(manifest);
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
