import { APPLICATION, KIND, PLATFORM } from '../site-containers.ts';
import type { RunNodeJob } from './node-job.ts';

// Clean-up of images: each machine of a cluster keeps every image that it ever ran. The machines that build images also
// keep the builds' other resources.

const OLD_MS = 24 * 3_600_000;
/**
 * Maximum number of deleted applications whose images one clean-up removes at once; images of further deleted
 * applications are removed when they are a day old.
 */
const MOST_GONE = 500;

/**
 * Shell script that removes images of platform $1 that were made before $2, and all build resources of the applications
 * named after them. The engine refuses to remove images with containers, running or not. Parent images stay: they do
 * not belong to the platform, or the next build starts from them.
 */
const REMOVE_SCRIPT = `platform=$1 old=$2
shift 2
gone=" $* "
is_gone() { case $gone in *" \${1:-none} "*) ;; *) return 1 ;; esac; }
for kind in volume network; do
  docker "$kind" ls --filter label=${PLATFORM}="$platform" --filter label=${KIND}=build \\
    --format '{{.Name}} {{.Label "${APPLICATION}"}}' |
    while read -r name application; do
      if is_gone "$application"; then docker "$kind" rm "$name" >/dev/null 2>&1 || true; fi
    done
done
ids=$(docker image ls --quiet --no-trunc --filter label=${PLATFORM}="$platform") || exit 1
[ -n "$ids" ] || exit 0
docker image inspect --format '{{.Id}} {{.Created}} {{index .Config.Labels "${APPLICATION}"}}' $ids |
  while read -r id created application; do
    is_gone "$application" || [ "$created" \\< "$old" ] || continue
    docker image rm --no-prune "$id" >/dev/null 2>&1 || true
  done`;

export type MachineImages = ReturnType<typeof createMachineImages>;

/**
 * Removes unused images on each machine: those older than a day, and all of deleted applications. Throws an
 * EngineError.
 */
export function createMachineImages({
  runNodeJob,
  platform,
}: {
  runNodeJob: RunNodeJob;
  platform: () => string;
}) {
  return async (gone: readonly string[], signal: AbortSignal): Promise<void> => {
    const old = new Date(Date.now() - OLD_MS).toISOString();
    await runNodeJob(REMOVE_SCRIPT, [platform(), old, ...gone.slice(0, MOST_GONE)], signal);
  };
}
