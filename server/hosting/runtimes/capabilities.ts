/**
 * What a runtime may be able to do, all of it: whoever orders more of one is refused (`refuseBeyond`), and nothing else
 * asks which runtime it is. docs/runtimes.md shows who can what.
 */
export const CAPABILITIES = {
  folders: 'starts releases that are folders of this machine',
  images: 'starts releases that are images',
  replicas: 'runs a process several times as one, and starts each of them again by itself',
  volumes: 'mounts further folders that outlive releases, beside the home',
  layers: 'lets a process write into its own folder, and gives the next one that folder as it was built',
  tasks: 'runs a command to its end',
  network: 'gives each site a network of its own',
  memory: 'ends what takes more memory than it may',
  threads: 'ends what starts more processes and threads than it may',
  disk: 'ends what fills more of the disk than it may',
  outliving: 'keeps sites running while the server restarts, and finds them again',
  machines: 'runs sites on several machines at once',
} as const;

export type Capability = keyof typeof CAPABILITIES;
