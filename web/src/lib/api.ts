import { connect, SimchaError } from 'simcha-client';
import { languageOfPage } from './page-language.ts';
import { isUnreachable, noteUnanswered } from './problems.ts';
import { noteReached } from './reached.ts';

let csrfToken: string | undefined;

/** What the session has told: every change is sent with it. */
export function keepCsrfToken(token: string | undefined): void {
  csrfToken = token;
}

/** The server that this page came from, as whoever has signed in here; nothing else is ever asked. */
export const client = connect({ csrf: () => csrfToken });

client.interceptors.request.use((request) => {
  request.headers.set('accept-language', languageOfPage());
  return request;
});

client.interceptors.response.use((response) => {
  if (response.ok) noteReached(true);
  return response;
});

client.interceptors.error.use((error, _response, request) => {
  if (error instanceof Error && !(error instanceof SimchaError)) noteUnanswered(error);
  // What the page itself has left says nothing of the server.
  if (!request?.signal.aborted) noteReached(!isUnreachable(error));
  return error;
});
