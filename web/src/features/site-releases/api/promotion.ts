import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Application, type Deployment, idempotencyKey, promote } from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { refreshSite, siteNameOf } from '../../sites/api/sites.ts';

/** Takes the release of a deployment of a site live on another site, without a build. */
export function usePromoteTo(site: Pick<Application, 'application_uuid'>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ target, deployment }: { target: Application; deployment: Deployment }) =>
      (
        await promote({
          client,
          path: { uuid: target.application_uuid },
          headers: idempotencyKey(),
          body: { application: site.application_uuid, deployment_uuid: deployment.deployment_uuid },
        })
      ).data,
    onSettled: (_data, _error, { target }) => refreshSite(queries, siteNameOf(target)),
  });
}
