import { Type } from 'typebox';
import { headersOf } from '../../kernel/http/resource.ts';
import { flag } from '../../kernel/query-types.ts';

/** Schemas of logs in answers: as text and as events. */

export const textAnswer = (description: string) => ({
  description,
  content: { 'text/plain': { schema: Type.String() } },
});

export const eventAnswer = {
  description: 'One event for each line, with the line number as its id.',
  content: { 'text/event-stream': { schema: Type.String() } },
};

/** Query of a log with the output of programs. */
export const colorsQuery = {
  colors: flag('Keeps the colours of programs, as ANSI sequences (SGR).'),
};

/** Schema of a route that follows a log. */
export const followHeaders = { headers: headersOf({ 'last-event-id': { type: 'string' } }) };

export const HIDDEN = 'the values of variables are hidden.';
export const ALSO_BY_ACCEPT =
  'With `Accept: text/event-stream` it is the stream instead, as under `/stream`.';
