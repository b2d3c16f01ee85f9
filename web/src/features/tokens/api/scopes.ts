/** Scopes of access tokens that the page offers besides full access, in their order on the page. */
export const SCOPES = ['read', 'deploy', 'env', 'guests', 'messages', 'door'] as const;
