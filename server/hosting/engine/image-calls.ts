import type { Readable } from 'node:stream';
import type { ImageConfig } from '../model/image-config.ts';
import type { Connection, EngineCall } from './connection.ts';
import { engineErrorFor } from './errors.ts';
import { type Labels, labelFilter, withAllLabels } from './labels.ts';
import { ignoreMissing, undefinedIfMissing } from './missing.ts';
import { ImageRemovals } from './quirks/docker.ts';
import { firstLabel } from './quirks/podman.ts';
import { jsonLines } from './streams.ts';

const DIGEST = 'sha256:';

export interface Image {
  Id: string;
  RepoTags?: readonly string[] | null;
  Size: number;
  RootFS: { Layers?: readonly string[] };
  Config: ImageConfig & {
    Labels?: Labels | null;
    Volumes?: Readonly<Record<string, object>> | null;
    /** Environment variables that the image sets, as `NAME=value`. */
    Env?: readonly string[] | null;
  };
}

export interface ListedImage {
  Id: string;
  RepoTags: string[] | null;
  Labels: Labels | null;
  /** Time when the image was made, in seconds since 1970. */
  Created: number;
}

/** Settings of an image made from a container. */
export interface CommitOrder {
  repository: string;
  tag: string;
  /** Settings of the new image; absent: the container's own settings. */
  config: { Cmd?: readonly string[]; Entrypoint?: readonly string[]; WorkingDir?: string; Labels?: Labels };
}

/** Settings of an image as lines of a Dockerfile. */
function changesOf({ Cmd, Entrypoint, WorkingDir, Labels = {} }: CommitOrder['config']): string[] {
  return [
    ...(Entrypoint ? [`ENTRYPOINT ${JSON.stringify(Entrypoint)}`] : []),
    ...(Cmd ? [`CMD ${JSON.stringify(Cmd)}`] : []),
    ...(WorkingDir === undefined ? [] : [`WORKDIR ${WorkingDir}`]),
    ...Object.entries(Labels).map(
      ([name, value]) => `LABEL ${JSON.stringify(name)}=${JSON.stringify(value)}`,
    ),
  ];
}

/** Message of an engine about the progress of a pull, about one layer if it has an `id`. */
export interface TransferMessage {
  id?: string;
  status?: string;
  progressDetail?: { current?: number; total?: number };
  error?: string;
}

/** Reads progress messages of a pull, push or import to their end. Throws if one of them reports an error. */
async function readProgress(
  answer: Readable,
  progress: (message: TransferMessage) => void = () => {},
): Promise<void> {
  for await (const message of jsonLines<TransferMessage>(answer)) {
    if (message.error !== undefined) throw engineErrorFor(500, message.error);
    progress(message);
  }
}

export function splitImageName(name: string): { repository: string; tag: string } {
  const at = name.lastIndexOf(':');
  return { repository: name.slice(0, at), tag: name.slice(at + 1) };
}

/** Calls about images: inspect, list, remove, and make from containers. */
export function imageCalls({ ask }: Connection) {
  const removals = new ImageRemovals();
  const removeCall = (call: EngineCall): Promise<void> => removals.remove(() => ignoreMissing(ask(call)));
  return {
    /** Details of an image; undefined if it does not exist. */
    image: (name: string, signal: AbortSignal): Promise<Image | undefined> =>
      undefinedIfMissing(ask({ path: ['images', name, 'json'], signal })),

    async images(labels: Labels, signal: AbortSignal): Promise<ListedImage[]> {
      const query = { filters: labelFilter(firstLabel(labels)) };
      return withAllLabels(labels, await ask({ path: ['images', 'json'], query, signal }));
    },

    /**
     * Removes an image. Throws a 409 if other images were made from it, or while the engine is busy with another
     * removal.
     */
    removeImage: (name: string, signal: AbortSignal): Promise<void> =>
      removeCall({ method: 'DELETE', path: ['images', name], query: { force: true }, signal }),

    /**
     * Removes a name of an image, and the image with its last name. Throws a 409 if it is the last name and containers
     * use the image.
     */
    removeName: (name: string, signal: AbortSignal): Promise<void> =>
      removeCall({ method: 'DELETE', path: ['images', name], signal }),

    /** Gives an image a further name. */
    async nameImage(image: string, name: string, signal: AbortSignal): Promise<void> {
      const { repository: repo, tag } = splitImageName(name);
      await ask({ method: 'POST', path: ['images', image, 'tag'], query: { repo, tag }, signal });
    },

    /**
     * Makes an image from a container's current files, without its volumes. Returns the image's id. Podman ignores the
     * body, so the settings go into the query.
     */
    async commit(id: string, { repository, tag, config }: CommitOrder, signal: AbortSignal): Promise<string> {
      const query = { container: id, repo: repository, tag, pause: true, changes: changesOf(config) };
      const { Id } = await ask<{ Id: string }>({ method: 'POST', path: ['commit'], query, body: {}, signal });
      return Id.startsWith(DIGEST) ? Id : `${DIGEST}${Id}`;
    },
  };
}

/** Calls that transfer images: pull, push, import. They may take long. */
export function imageTransfers({ ask, stream }: Connection) {
  const transfer = async (
    call: Omit<EngineCall, 'method'>,
    progress?: (message: TransferMessage) => void,
  ): Promise<void> => readProgress(await stream({ method: 'POST', ...call, mayTakeLong: true }), progress);
  return {
    /** Pulls an image from its registry; `headers` authenticate at the registry. */
    pull(
      name: string,
      signal: AbortSignal,
      headers: Labels = {},
      progress?: (message: TransferMessage) => void,
    ): Promise<void> {
      // Without a tag in the image's name, an engine would pull all tags, so the name then gets the tag `latest`.
      const isTagged = /[:@][^/]*$/.test(name);
      const query = { fromImage: isTagged ? name : `${name}:latest` };
      return transfer({ path: ['images', 'create'], query, headers, signal }, progress);
    },

    /** Pushes an image to its registry; `headers` authenticate at the registry. */
    push(name: string, headers: Labels, signal: AbortSignal): Promise<void> {
      const { repository, tag } = splitImageName(name);
      const path = ['images', repository, 'push'];
      // A push without the authentication header is refused, even if the registry has no users: `e30=` is an empty
      // object.
      return transfer({ path, query: { tag }, headers: { 'x-registry-auth': 'e30=', ...headers }, signal });
    },

    importImage(archive: Readable, name: string, labels: Labels, signal: AbortSignal): Promise<void> {
      const { repository: repo, tag } = splitImageName(name);
      const query = { fromSrc: '-', repo, tag, changes: changesOf({ Labels: labels }) };
      return transfer({ path: ['images', 'create'], query, body: archive, signal });
    },

    /** True if the registry has the image; `headers` authenticate at the registry. */
    async isAtRegistry(name: string, headers: Labels, signal: AbortSignal): Promise<boolean> {
      const path = ['distribution', name, 'json'];
      return (await undefinedIfMissing(ask({ path, headers, signal }))) !== undefined;
    },
  };
}
