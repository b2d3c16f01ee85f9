import type { NamedImageSupport } from '../../kernel/config.ts';
import { type Reason, reason } from './reasons/reason.ts';

/** Reason why a site that runs an image by its name is not deployed here. */
export function imageRefusal(support: Exclude<NamedImageSupport, 'on'>): Reason {
  return reason(REASONS[support]);
}

const REASONS = {
  no_engine: 'image_without_engine',
  off: 'image_off',
  open_registration: 'image_untrusted',
} as const;
