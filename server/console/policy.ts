/**
 * What the console's page may load: what this server itself gives it, and nothing from elsewhere. Its only styles in the
 * page are those that carry the answer's nonce.
 */
export function pagePolicy(nonce: string): string {
  const directives = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data: blob:",
    'font-src': "'self'",
    'connect-src': "'self'",
    // How guests see an event; nothing of theirs is let in.
    'frame-src': "'self'",
    'manifest-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}
