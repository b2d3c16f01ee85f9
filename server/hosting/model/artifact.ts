/**
 * Result of a build, as stored in the database. `files`: files that the gateway serves directly. `folder`: a folder on
 * this machine; commands run in its subfolder `below`, with the Node.js version `node` if one is required. `image`: an
 * image that an engine starts. The image was made by the source's own Dockerfile (`own`), or by the platform: then the
 * release lies in the image's folder `below`, and `hasHome` says that the image has a home folder.
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
