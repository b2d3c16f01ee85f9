/**
 * Content security policy of the console's page: only resources of this server. Inline styles need the nonce of the
 * answer.
 */
export function pagePolicy(nonce: string): string {
  const directives = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data: blob:",
    'font-src': "'self'",
    'connect-src': "'self'",
    // The console shows an event's preview, as guests see it, in a frame. Hosts' and guests' own texts have no other
    // way into a frame.
    'frame-src': "'self'",
    'manifest-src': "'self'",
    'worker-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}

/** Content security policy of the console's service worker: it only loads the console's own files. */
export const WORKER_POLICY = "default-src 'none'; connect-src 'self'";
