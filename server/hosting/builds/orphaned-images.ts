import { isUuid } from '../../kernel/identifiers.ts';
import type { Logger } from '../../kernel/log.ts';
import { EngineError } from '../engine/connection.ts';
import type { Engine, Labels, Listed, ListedImage } from '../engine/engine.ts';
import {
  APPLICATION,
  discard,
  isOurs,
  KIND,
  PLATFORM,
  removeRetained,
  STAGE,
} from '../engine/site-containers.ts';
import { onceUnused, unlessUsed } from '../engine/unused.ts';
import type { Named } from './image-names.ts';

// What builds have with an engine, whoever began them and whatever became of them: their images, named or not, and what they share
// while those are made.

const NEVER = new AbortController().signal;

export interface OrphanedImagesParts {
  engine: Engine;
  platform: () => string;
  /** What it is called as an image of an application's. */
  namesOf: (image: ListedImage) => readonly Named[];
  log: Logger;
}

export interface Stage {
  platform: string;
  applicationId: string;
}

/** As an engine knows it. */
export interface BuildNetwork {
  Id: string;
  Name: string;
}

export function createOrphanedImages({ engine, platform, namesOf, log }: OrphanedImagesParts) {
  const ours = () => ({ [PLATFORM]: platform(), ...BUILDS });
  const applicationIn = (labels: Labels) => labels[PLATFORM] === platform() && labels[APPLICATION];

  /** A Dockerfile says what labels its images have, but not what they are called, nor what stands behind each label of its own. */
  const applicationOf = (image: ListedImage): string | undefined => {
    const [named] = namesOf(image);
    if (named) return named.applicationId;
    if (!isLoose(image.RepoTags)) return undefined;
    const stage = stageIn(image.Labels);
    const said = stage
      ? stage.platform === platform() && stage.applicationId
      : applicationIn(image.Labels ?? {});
    return said && isUuid(said) ? said : undefined;
  };

  return {
    /** All that have something left here. */
    async applications(signal: AbortSignal): Promise<string[]> {
      const [images, networks, volumes] = await Promise.all([
        engine.images({}, signal),
        engine.networks(ours(), signal),
        engine.volumes(ours(), signal),
      ]);
      const shared = [...networks, ...volumes].map(({ Labels }) => applicationIn(Labels) || undefined);
      const all = [...images.map(applicationOf), ...shared];
      return [...new Set(all.filter((one) => one !== undefined))];
    },

    /** Ends what a Dockerfile's commands of an earlier life run in; nobody waits for that. */
    async recover(): Promise<void> {
      const networks = await engine.networks(ours(), NEVER);
      const found = await Promise.all(networks.map((one) => buildingIn(engine, one, NEVER)));
      for (const { Id } of found.flat()) void discard(engine, Id, log);
    },

    /** Removes all that is left of an application. Throws where something of it is used still, or its engine is busy. */
    async forget(applicationId: string, signal: AbortSignal): Promise<void> {
      const labels = { ...ours(), [APPLICATION]: applicationId };
      for (const one of await engine.networks(labels, signal)) await endBuilding(engine, one, log);
      const left = async () =>
        (await engine.images({}, signal)).filter((one) => applicationOf(one) === applicationId);
      await onceUnused(async () => {
        let refused: unknown;
        // One that others are made of goes once those have.
        for (const image of await left()) {
          const names = namesOf(image).map(({ name }) => name);
          for (const name of names.length > 0 ? names : [image.Id])
            await engine.removeImage(name, signal).catch((error) => {
              unlessUsed(error);
              refused = error;
            });
        }
        if (refused) throw refused;
        // One that runs has lost its name alone.
        for (const { Id } of await left()) throw new EngineError(409, `${Id} is used still`);
      }, signal);
      await removeRetained(engine, labels, signal);
    },
  };
}

/** What is known of all that an application's builds share while images are made. */
export const BUILDS: Labels = { [KIND]: 'build' };

/** What all that a Dockerfile makes on its way is labelled `simcha.stage` with. */
export function stageOf({ platform, applicationId }: Stage): string {
  return `${platform}/${applicationId}`;
}

/** Whose an image is by that; undefined for one that none has made. */
export function stageIn(labels: Labels | null): Stage | undefined {
  const [platform, applicationId = ''] = labels?.[STAGE]?.split('/') ?? [];
  return platform === undefined ? undefined : { platform, applicationId };
}

/** Whether an image is called nothing. */
export function isLoose(names: readonly string[] | null): boolean {
  return (names ?? []).every((name) => name === '<none>:<none>');
}

/** What commands of Dockerfiles run in: a Dockerfile says what labels they have, but in no network. */
export async function buildingIn(
  engine: Engine,
  network: BuildNetwork,
  signal: AbortSignal,
): Promise<Listed[]> {
  return (await engine.containersIn(network, signal)).filter((one) => !isOurs(one));
}

/** Removes them where nobody builds any more. Does not wait for what the engine can't end. */
export async function endBuilding(engine: Engine, network: BuildNetwork, log: Logger): Promise<void> {
  const found = await buildingIn(engine, network, NEVER);
  await Promise.all(found.map(({ Id }) => discard(engine, Id, log)));
}
