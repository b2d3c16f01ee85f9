import type { Config } from '../../kernel/config.ts';
import { resolveHost } from '../../kernel/public-hosts.ts';
import { RegistryClient } from '../engine/registry-client.ts';
import { RegistryError } from '../engine/registry-connection.ts';
import type { RegistryLogin } from '../model/deployed-image.ts';
import type { ImageConfig } from '../model/image-config.ts';
import { type ImageName, parseImageName, registryHost } from '../model/image-name.ts';
import { imageRefusal } from '../model/image-refusal.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { type Reason, reason } from '../model/reasons/reason.ts';
import {
  type Architecture,
  architectureOf,
  type Manifest,
  manifestFor,
  manifestOf,
  settingsOf,
} from './image-manifest.ts';

export type NamedImageSettings = Pick<
  Config,
  'appsNamedImages' | 'appsAllowPrivateHosts' | 'appsHttpRegistries' | 'appsDiskMb'
>;

/** Image as its registry describes it. */
export interface ImageDescription {
  /** Full name of the image. */
  name: string;
  /** Digest of the manifest, or of the list of manifests for several platforms. */
  digest: string;
  /** Size of the layers as the registry stores them, in bytes. */
  bytes: number;
  layers: number;
  config: ImageConfig;
}

const MEBIBYTE = 2 ** 20;
/** Time limit of all questions to a registry about one image. */
const LONGEST_MS = 60_000;
const UNKNOWN: ReadonlySet<number | undefined> = new Set([401, 403, 404]);
const TOO_MANY_REQUESTS = 429;

/** Images that owners of applications name, as their registries describe them. */
export class NamedImages {
  readonly #settings: NamedImageSettings;
  readonly #architecture: Architecture;

  constructor(settings: NamedImageSettings, processArch: string = process.arch) {
    this.#settings = settings;
    // The engine is on this machine.
    this.#architecture = architectureOf(processArch);
  }

  /**
   * Asks the registry which image a name means now, and what it is. Throws RuntimeFailure if the image may not run here,
   * or if the registry does not have it for this machine.
   */
  async describe(
    name: string,
    login: RegistryLogin | undefined,
    signal: AbortSignal,
  ): Promise<ImageDescription> {
    const image = this.#checked(name);
    const until = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]);
    try {
      return await this.#ask(image, this.#clientOf(image, login), until);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RuntimeFailure) throw error;
      if (error instanceof RegistryError || until.aborted)
        throw new RuntimeFailure(registryFailure(image, login, error));
      throw error;
    }
  }

  /**
   * Checks before a pull that an image may run here, and that its registry is on a host that may be connected to. Throws
   * RuntimeFailure.
   */
  async check(name: string): Promise<void> {
    await this.#checkHost(registryHost(this.#checked(name)));
  }

  #checked(name: string): ImageName {
    const { appsNamedImages: support } = this.#settings;
    if (support !== 'on') throw new RuntimeFailure(imageRefusal(support));
    const image = parseImageName(name);
    if (!image) throw new RuntimeFailure(reason('registry_refused'));
    return image;
  }

  async #checkHost(host: string): Promise<void> {
    const resolved = await resolveHost(host, this.#settings.appsAllowPrivateHosts);
    if ('wrong' in resolved) throw new RuntimeFailure(reason('registry_refused'));
  }

  #clientOf({ registry }: ImageName, login: RegistryLogin | undefined): RegistryClient {
    const protocol = this.#settings.appsHttpRegistries.includes(registry) ? 'http' : 'https';
    const checkHost = (host: string) => this.#checkHost(host);
    return new RegistryClient({ origin: `${protocol}://${registry}`, ...login, checkHost });
  }

  async #ask(image: ImageName, client: RegistryClient, signal: AbortSignal): Promise<ImageDescription> {
    const { name, repository } = image;
    const digest = await client.digest(repository, image.digest ?? image.tag ?? '', signal);
    if (digest === undefined) throw new RuntimeFailure(reason('named_image_missing', { image: name }));
    const { config: settings, layers } = await this.#manifest(image, digest, client, signal);
    const found = settingsOf(await client.json(repository, settings, signal));
    if (!found) throw new RuntimeFailure(reason('not_an_image', { image: name }));
    const platform = `linux/${this.#architecture}`;
    if (found.platform !== platform)
      throw new RuntimeFailure(reason('image_platform', { image: name, platform }));
    const bytes = layers.reduce((sum, size) => sum + size, 0);
    const { appsDiskMb: mebibytes } = this.#settings;
    if (bytes > mebibytes * MEBIBYTE)
      throw new RuntimeFailure(reason('named_image_too_large', { image: name, mebibytes }));
    return { name, digest, bytes, layers: layers.length, config: found.config };
  }

  /** Manifest for this machine's platform, of the image or of one in its list. */
  async #manifest(
    { name, repository }: ImageName,
    digest: string,
    client: RegistryClient,
    signal: AbortSignal,
  ): Promise<Manifest> {
    const json = await client.manifest(repository, digest, signal);
    const chosen = manifestFor(json, this.#architecture);
    if (chosen === undefined) {
      const platform = `linux/${this.#architecture}`;
      throw new RuntimeFailure(reason('image_platform', { image: name, platform }));
    }
    const manifest = manifestOf(
      chosen === 'single' ? json : await client.manifest(repository, chosen, signal),
    );
    if (!manifest) throw new RuntimeFailure(reason('not_an_image', { image: name }));
    return manifest;
  }
}

/** Reason for an error of a registry. Its message is left out: it may tell of networks behind the registry. */
function registryFailure(
  { name: image, registry }: ImageName,
  login: RegistryLogin | undefined,
  error: unknown,
): Reason {
  const status = error instanceof RegistryError ? error.status : undefined;
  if (UNKNOWN.has(status))
    return reason(login && status !== 404 ? 'named_image_denied' : 'named_image_missing', { image });
  if (status === TOO_MANY_REQUESTS) return reason('registry_limited', { registry });
  return reason('registry_unreached', { registry });
}
