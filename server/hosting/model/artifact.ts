/**
 * What a build gave, as the database keeps it: files that the gateway serves by itself; a folder of this machine in which
 * commands are started, below its root, by a version of Node.js where one was asked for; an image of ours that an engine starts,
 * below the folder that releases are in there, with one for its home where `hasHome` says so; or one that is a source's own, by its
 * Dockerfile.
 */
export type Artifact =
  | { kind: 'files' }
  | { kind: 'folder'; below: string; node?: string }
  | { kind: 'image'; image: string; below: string; hasHome?: boolean; own?: OwnImage };

/** Its folder, variables and user are its own, and so is the command where no other is said. */
export interface OwnImage {
  /** The one TCP port that it says it listens on (EXPOSE). */
  port?: number;
  /** It says nothing to be run. */
  lacksCommand?: boolean;
}
