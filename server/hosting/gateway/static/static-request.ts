import type { IncomingMessage, ServerResponse } from 'node:http';

/** Request to a static site. */
export interface StaticRequest {
  request: IncomingMessage;
  response: ServerResponse;
  target: string;
}
