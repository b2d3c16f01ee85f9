/**
 * Result of a build, as stored in the database. `files`: files that the gateway serves directly. `folder`: a folder on
 * this machine in which commands run, in the subfolder `below`, with a given version of Node.js if one is required.
 * `image`: an image that an engine starts, either built here (releases lie in its folder `below`, and it has a home
 * folder if `hasHome` is set) or made by the source's own Dockerfile (`own`).
 */
export type Artifact =
  | { kind: 'files' }
  | { kind: 'folder'; below: string; node?: string }
  | { kind: 'image'; image: string; below: string; hasHome?: boolean; own?: OwnImage };

/**
 * Image made by the source's Dockerfile: it defines its own folder, variables and user, and its own command unless the
 * application sets one.
 */
export interface OwnImage {
  /** TCP port that the image declares (EXPOSE), if it declares exactly one. */
  port?: number;
  /** True if the image defines no command. */
  lacksCommand?: boolean;
}
