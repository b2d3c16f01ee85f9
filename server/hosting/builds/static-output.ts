import { posix } from 'node:path';
import { noPageIn, PAGES } from '../detection/source.ts';
import { archiveOfTree, TooLarge, unpackArchive } from '../engine/archives.ts';
import type { Engine } from '../engine/engine.ts';
import { ignoreInUse } from '../engine/in-use.ts';
import type { RegistryImages } from '../engine/registry-images.ts';
import { APP, SITE_USER } from '../engine/site-containers.ts';
import type { Artifact } from '../model/artifact.ts';
import { RuntimeFailure } from '../model/reasons/failure.ts';
import { reason } from '../model/reasons/reason.ts';
import type { BuildName, SiteFolders } from '../model/site-folders.ts';
import { openUp } from '../sandbox/disk.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ApplicationImages } from './application-images.ts';
import type { BuildContainer } from './build-container.ts';
import type { Builder, BuildOrder } from './builder.ts';
import { IN_IMAGE, type SiteCopies } from './site-copies.ts';

export interface StaticOutputParts {
  engine: Engine;
  folders: SiteFolders;
  folderBuilder: Builder;
  sandbox: Pick<Sandbox, 'changeOwner' | 'isolation'>;
  images: ApplicationImages;
  /** Access to images in the registry of a cluster. */
  registryImages: RegistryImages | undefined;
  /** Copies of sites' files on each machine; undefined: files are served on this machine from the build's folder. */
  copies: SiteCopies | undefined;
  diskMb: number;
}

const MEBIBYTE = 2 ** 20;
/** Shell script that prints the first of the folders with a start page; `*` matches any one folder. */
const CHOOSE_SCRIPT = `IFS=
has() { ${PAGES.map((page) => `[ -f "./$1/${page}" ]`).join(' || ')}; }
for wanted; do
  if [ -z "$wanted" ]; then has . && exit 0; fi
  for folder in $wanted; do
    if has "$folder"; then printf %s "$folder"; exit 0; fi
  done
done
exit 1`;
/** Shell command that lists up to 20 start pages in all folders below the current one, one a line. */
const FIND_PAGES = `find . -maxdepth 5 \\( -name node_modules -o -name '.?*' \\) -prune -o -type f \\( ${PAGES.map((page) => `-name ${page}`).join(' -o ')} \\) -print | head -n 20`;

/** Output of builds of static sites: files, which gateways serve. */
export class StaticOutput {
  readonly #parts: StaticOutputParts;

  constructor(parts: StaticOutputParts) {
    this.#parts = parts;
  }

  /** Copies the files of a static site out of the build's container; the gateway needs nothing else. */
  async take(order: BuildOrder, container: BuildContainer, signal: AbortSignal): Promise<Artifact> {
    const { engine, folderBuilder, sandbox } = this.#parts;
    const { root, plan } = order;
    const folder = await this.#publishedFolder(plan.publish, container, signal);
    const archive = await engine.files(container.name, posix.join(APP, root, folder), signal);
    if (!archive) throw noPageIn(plan.publish, []);
    const into = await folderBuilder.workspace(order, signal);
    await sandbox.changeOwner(into, signal);
    const mebibytes = this.#parts.diskMb;
    await unpackArchive(archive, into, {
      account: sandbox.isolation.account,
      mostBytes: mebibytes * MEBIBYTE,
      signal,
    }).catch((error) => {
      if (!(error instanceof TooLarge)) throw error;
      throw new RuntimeFailure(reason('build_exceeds', { how: reason('disk_full', { mebibytes }) }));
    });
    await openUp(into, signal);
    // The copied files need no build any more: this build without steps only checks and stores them.
    return folderBuilder.build({ ...order, root: '', plan: { ...plan, steps: [], publish: [''] } });
  }

  /** Shares the files of a static site with all machines of a cluster. */
  async share(order: BuildOrder, artifact: Artifact, signal: AbortSignal): Promise<Artifact> {
    const { engine, folders, folderBuilder, images, registryImages, copies } = this.#parts;
    if (!registryImages || !copies) return artifact;
    const image = images.nameOf(order);
    const site = folders.site(order);
    await order.buildLog.step('push', async () => {
      const labels = images.labelsOf(order.applicationId);
      await engine.importImage(archiveOfTree(site, IN_IMAGE, SITE_USER), image, labels, signal);
      await registryImages.push(image, signal);
      await engine.removeImage(image, signal).catch(ignoreInUse);
    });
    await copies.moveIn(order, site);
    await folderBuilder.discard(order, signal);
    return artifact;
  }

  /** Copies the files of a static site in the registry of a cluster to another application's build. */
  async copy(from: BuildName, to: BuildName, artifact: Artifact, signal: AbortSignal): Promise<Artifact> {
    const { engine, images, registryImages } = this.#parts;
    const [image, copy] = [images.nameOf(from), images.nameOf(to)];
    await registryImages?.ensure(image, signal);
    await engine.nameImage(image, copy, signal);
    await registryImages?.push(copy, signal);
    for (const name of [image, copy]) await engine.removeName(name, signal).catch(ignoreInUse);
    return artifact;
  }

  /** Folder with a start page, relative to the application's root. Throws a RuntimeFailure if there is none. */
  async #publishedFolder(
    publish: readonly string[],
    container: BuildContainer,
    signal: AbortSignal,
  ): Promise<string> {
    const { code, lines } = await container.script(CHOOSE_SCRIPT, { args: publish }, signal);
    if (code === 0) return lines[0] ?? '';
    const { lines: pages } = await container.script(FIND_PAGES, {}, signal);
    const folders = new Set(pages.map((page) => posix.dirname(posix.normalize(page))));
    throw noPageIn(
      publish,
      [...folders].filter((folder) => folder !== '.'),
    );
  }
}
