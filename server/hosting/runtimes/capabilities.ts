/**
 * Capabilities of runtimes. Instructions to start an instance that need more are refused (`refuseUnsupported`), and no
 * other code depends on which runtime it is. docs/runtimes.md has the table of runtimes and capabilities.
 */
export const CAPABILITIES = {
  folders: 'starts releases that are folders of this machine',
  images: 'starts releases that are images',
  replicas: 'runs several replicas of a process as one, and restarts each of them',
  volumes: 'mounts volumes: folders beside the home that outlive releases',
  layers: 'lets a process write into its own folder; the next one gets the folder as built',
  tasks: 'runs a command to its end',
  network: 'gives each site a network of its own',
  memory: 'ends a process that exceeds its memory limit',
  threads: 'ends a process that exceeds its limit of processes and threads',
  disk: 'ends a process that exceeds its disk limit',
  outliving: 'keeps sites running while the server restarts, and adopts them again',
  machines: 'runs sites on several machines at once',
} as const;

export type Capability = keyof typeof CAPABILITIES;
