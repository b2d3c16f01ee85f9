import type { DockerfileSupport } from '../../kernel/config.ts';
import { type Reason, reason } from './reasons/reason.ts';

/** Reason why a site that needs its Dockerfile is not built. */
export function dockerfileRefusal(support: Exclude<DockerfileSupport, 'built'>, file: string): Reason {
  return support === 'off' ? reason('dockerfile_only', { file }) : reason('dockerfile_untrusted', { file });
}
