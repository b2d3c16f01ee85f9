import type { IncomingRequest } from '../incoming-request.ts';
import type { OutgoingResponse } from '../outgoing-response.ts';

/** Request to a static site. */
export interface StaticRequest {
  request: IncomingRequest;
  response: OutgoingResponse;
  target: string;
}
