import type { Variables } from '../model/variables.ts';
/** Facts about a site that the site and its build find in environment variables. */
export interface SiteFacts {
  /** Full address of the site. */
  address: string;
  commit: string;
  /** Deployment that builds the site or runs it. */
  deploymentId: string;
  /** Name of the preview; null for production. */
  preview: string | null;
}

/**
 * Environment variables that tell a site about itself, under names that frameworks know and under names of our own. The
 * application's own variables take precedence.
 */
export function siteVariables(facts: SiteFacts): Variables {
  return {
    NODE_ENV: 'production',
    // Output of Python programs is buffered without this, and would arrive late.
    PYTHONUNBUFFERED: '1',
    ...ownImageVariables(facts),
  };
}

/** Environment variables for a site with its own image, which sets the variables for its language itself. */
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
