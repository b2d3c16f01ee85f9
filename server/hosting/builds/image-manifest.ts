import type { ImageConfig } from '../model/image-config.ts';

// Manifests and settings of images as registries store them
// (https://github.com/opencontainers/image-spec/blob/main/manifest.md), read as untrusted input.

/** Manifest of an image for one platform. */
export interface Manifest {
  /** Digest of the image's settings. */
  config: string;
  /** Sizes of the layers as they are stored, in bytes. */
  layers: readonly number[];
}

/** Architecture of a machine by the name that images use, such as `amd64`. */
export type Architecture = string;

const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** Names that Node.js has for architectures which images name otherwise. */
const ARCHITECTURES: Readonly<Record<string, Architecture>> = { x64: 'amd64', ia32: '386' };

export function architectureOf(processArch: string): Architecture {
  return ARCHITECTURES[processArch] ?? processArch;
}

/**
 * Digest of the manifest for Linux on this architecture, in a list of manifests; undefined if the list has none, and
 * `single` if the JSON is no list.
 */
export function manifestFor(json: unknown, architecture: Architecture): string | 'single' | undefined {
  const { manifests } = objectOf(json);
  if (!Array.isArray(manifests)) return 'single';
  const found = manifests.map(objectOf).find(({ platform }) => {
    const { os, architecture: its } = objectOf(platform);
    return os === 'linux' && its === architecture;
  });
  return digestOf(found?.digest);
}

/** Manifest of an image; undefined if the JSON is none, as for other things that registries store. */
export function manifestOf(json: unknown): Manifest | undefined {
  const { config, layers } = objectOf(json);
  const digest = digestOf(objectOf(config).digest);
  if (digest === undefined || !Array.isArray(layers)) return undefined;
  const sizes = layers.map((layer) => objectOf(layer).size);
  return sizes.every(isSize) ? { config: digest, layers: sizes } : undefined;
}

/** Settings of an image, with the platform that it is for; undefined if the JSON is none. */
export function settingsOf(json: unknown): { platform: string; config: ImageConfig } | undefined {
  const { os, architecture, config } = objectOf(json);
  if (typeof os !== 'string' || typeof architecture !== 'string') return undefined;
  const { ExposedPorts, Entrypoint, Cmd } = objectOf(config);
  return {
    platform: `${os}/${architecture}`,
    config: {
      ExposedPorts: objectOf(ExposedPorts) as Record<string, object>,
      Entrypoint: wordsOf(Entrypoint),
      Cmd: wordsOf(Cmd),
    },
  };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function digestOf(value: unknown): string | undefined {
  return typeof value === 'string' && DIGEST.test(value) ? value : undefined;
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function wordsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [];
}
