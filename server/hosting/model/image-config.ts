import type { OwnImage } from './artifact.ts';

/** Settings of an image that say how it is run, as engines and registries name them. */
export interface ImageConfig {
  /** Ports that the image declares, such as `80/tcp`. */
  ExposedPorts?: Readonly<Record<string, object>> | null;
  Entrypoint?: readonly string[] | null;
  Cmd?: readonly string[] | null;
}

const TCP = /^(\d+)\/tcp$/;

export function ownImageOf(config: ImageConfig): OwnImage {
  const ports = Object.keys(config.ExposedPorts ?? {}).flatMap((name) => TCP.exec(name)?.[1] ?? []);
  const [port, ...others] = ports.map(Number);
  return {
    ...(port !== undefined && others.length === 0 && { port }),
    ...(commandOf(config).length === 0 && { lacksCommand: true }),
  };
}

/** Words of the command that an image runs by itself: its entrypoint with its default arguments. */
export function commandOf({ Entrypoint, Cmd }: ImageConfig): readonly string[] {
  return [...(Entrypoint ?? []), ...(Cmd ?? [])];
}
