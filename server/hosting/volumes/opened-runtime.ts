import type { Builder } from '../builds/builder.ts';
import type { Runtime } from '../runtimes/runtime.ts';
import type { Contents } from './contents.ts';

/** Runtime that runs sites, with the builder of their releases and the contents of their volumes. */
export interface OpenedRuntime {
  runtime: Runtime;
  builder: Builder;
  contents: Contents;
}
