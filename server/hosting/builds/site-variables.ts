import type { Variables } from '../model/variables.ts';
/** Facts that a site and its build get about themselves. */
export interface SiteFacts {
  /** Full address of the site. */
  address: string;
  commit: string;
  /** Deployment that builds it or runs it. */
  deploymentId: string;
  /** Name of its preview; null for production. */
  preview: string | null;
}

/** Variables with the names that frameworks know, and our own. An application's own variables take precedence. */
export function siteVariables(facts: SiteFacts): Variables {
  return {
    NODE_ENV: 'production',
    // Output of Python programs is buffered without this, and would arrive late.
    PYTHONUNBUFFERED: '1',
    ...ownImageVariables(facts),
  };
}

/** Variables for an application's own image, which sets those of its language itself. */
export function ownImageVariables({ address, commit, deploymentId, preview }: SiteFacts): Variables {
  return {
    ORIGIN: address,
    AUTH_URL: address,
    NEXTAUTH_URL: address,
    SIMCHA_URL: address,
    SIMCHA_COMMIT: commit,
    SIMCHA_DEPLOYMENT: deploymentId,
    ...(preview !== null && { SIMCHA_PREVIEW: preview }),
  };
}
