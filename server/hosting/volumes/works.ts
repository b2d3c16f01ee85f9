import type { Builder } from '../builds/builder.ts';
import type { Runtime } from '../runtimes/runtime.ts';
import type { Contents } from './contents.ts';

/** What runs sites, what makes the releases that it starts, and what is in the volumes that it mounts. */
export interface Works {
  runtime: Runtime;
  builder: Builder;
  contents: Contents;
}
