/** Folder that outlives releases, and its path for processes. */
export interface Volume {
  name: string;
  path: `/${string}`;
  /** Name by which a runtime identifies the volume's content. */
  content: string;
}
