/** What an event's stream says, in server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export type LiveEvent = 'counts' | 'answer' | 'changed';

/** One message. `id` is what the client sends back as Last-Event-ID when it connects again. */
export function message(event: LiveEvent, data: unknown, id?: string): string {
  return `event: ${event}\n${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(data)}\n\n`;
}

/** Keeps proxies from ending a quiet stream, and tells clients how soon to connect again. */
export const HEARTBEAT = ': \n\n';
export const RETRY = 'retry: 2000\n\n';
