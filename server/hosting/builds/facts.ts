import type { Variables } from '../model/variables.ts';
/** What a site and its build are told of themselves. */
export interface Facts {
  /** The full address of the site. */
  address: string;
  commit: string;
  /** The deployment that builds it, or that the site runs by. */
  deploymentId: string;
  /** The name of the preview it is of; null for production. */
  preview: string | null;
}

/** By the names that frameworks know, and our own. An application's own variables go before them. */
export function namesOf(facts: Facts): Variables {
  return {
    NODE_ENV: 'production',
    // Else what a program of Python writes comes when there is much of it.
    PYTHONUNBUFFERED: '1',
    ...ownNamesOf(facts),
  };
}

/** The same for an image of its own, which says by itself how its language is run. */
export function ownNamesOf({ address, commit, deploymentId, preview }: Facts): Variables {
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
