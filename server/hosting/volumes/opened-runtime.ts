import type { Builder } from '../builds/builder.ts';
import type { Runtime } from '../runtimes/runtime.ts';
import type { Contents } from './contents.ts';

/**
 * Parts of a runtime: it runs sites, the builder makes their releases, and the contents are those of mounted volumes.
 */
export interface OpenedRuntime {
  runtime: Runtime;
  builder: Builder;
  contents: Contents;
}
