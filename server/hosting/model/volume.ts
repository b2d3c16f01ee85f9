/** A folder that outlives releases, and where processes find it. */
export interface Volume {
  name: string;
  path: `/${string}`;
  /** By which a runtime knows what is in it. */
  content: string;
}
