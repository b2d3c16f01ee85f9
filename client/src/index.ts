export { type Connection, connect } from './connect.ts';
export { SimchaError } from './errors.ts';
export type { Client } from './generated/client/index.ts';
export * from './generated/index.ts';
export { type Listed, pages } from './pages.ts';
export { once, type Retries, retrying, type Tried } from './retrying.ts';
export {
  type Following,
  followDeploymentLines,
  followGuests,
  followSiteLines,
  type GuestEvent,
  type LogLine,
} from './streams.ts';
export { type Progress, telling } from './uploads.ts';
