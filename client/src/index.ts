export { type Connection, connect } from './connect.ts';
export { SimchaError } from './errors.ts';
export type { Client } from './generated/client/index.ts';
export * from './generated/index.ts';
export { type ListedItem, paginate } from './paginate.ts';
export { isRegisteredDomain } from './registered-domain.ts';
export { idempotencyKey, type OnAttempt, type Retries, withRetries } from './retries.ts';
export {
  followAccessLines,
  followDeploymentLines,
  followGuests,
  followRunLines,
  followSiteLines,
  type GuestEvent,
  type LogLine,
  type StreamOptions,
} from './streams.ts';
export { type Progress, withUploadProgress } from './uploads.ts';
