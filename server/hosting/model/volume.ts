/** Volume: a folder that outlives releases, and the path at which processes find it. */
export interface Volume {
  name: string;
  path: `/${string}`;
  /** Name by which a runtime identifies the volume's content. */
  content: string;
}
