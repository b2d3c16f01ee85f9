import type { Connection } from './connection.ts';
import { retryMeasurement } from './quirks/docker.ts';
import { stableId } from './quirks/podman.ts';

interface EngineInfo {
  ID: string;
  Name: string;
  DockerRootDir: string;
  Swarm?: { NodeID: string };
}

/**
 * Corrects a size in an engine's answer: the engine leaves out 0, and reports -1 if it can't measure the size, for
 * example of folders nested beyond the longest path.
 */
export function sizeInBytes(bytes = 0): number {
  return bytes < 0 ? Number.POSITIVE_INFINITY : bytes;
}

interface DiskUsage {
  Containers: { Id: string; SizeRw?: number }[] | null;
  Volumes: { Name: string; UsageData?: { Size: number } }[] | null;
}

/** Calls about the engine as a whole: its identity, and the use of its disk. */
export function systemCalls({ ask, isPodman }: Connection) {
  return {
    /**
     * Identity of the engine, which stays as long as its data, and of its machine: the machine's id in the cluster if
     * it belongs to one.
     */
    async identity(signal: AbortSignal): Promise<{ engine: string; machine: string }> {
      const info = await ask<EngineInfo>({ path: ['info'], signal });
      // The root folder is added because several Docker engines on one machine may share an id.
      const engine = `${stableId(info, isPodman)} ${info.DockerRootDir}`;
      return { engine, machine: info.Swarm?.NodeID || engine };
    },

    /**
     * Bytes written by containers outside of their volumes, by id, and sizes of volumes, by name. The engine reads all
     * files for this, as for `writtenBytes`.
     */
    async usage(
      signal: AbortSignal,
    ): Promise<{ containers: Map<string, number>; volumes: Map<string, number> }> {
      // Engines before version 23 ignore `type` and measure their images too.
      const call = { path: ['system', 'df'], query: { type: ['container', 'volume'] }, signal };
      const { Containers: containers, Volumes: volumes } = await retryMeasurement(() => ask<DiskUsage>(call));
      return {
        containers: new Map(containers?.map(({ Id, SizeRw }) => [Id, sizeInBytes(SizeRw)])),
        volumes: new Map(volumes?.map(({ Name, UsageData }) => [Name, sizeInBytes(UsageData?.Size)])),
      };
    },
  };
}
