import type { Application, Preview } from 'simcha-client';
import { useDeploy, useOpenDeployment, useRestart } from './deployments.ts';

type Changed = Pick<Application | Preview, 'status' | 'last_updated' | 'deployed_at'>;

/** True if the application or preview was changed after its live version started, and no deployment is under way. */
export const hasPendingChanges = ({
  status,
  last_updated: changed,
  deployed_at: deployed,
}: Changed): boolean =>
  deployed !== null && status !== 'deploying' && Date.parse(changed) > Date.parse(deployed);

/** Deployment or restart with which changes of a site, or of its preview of that name, take effect. Once requested, the deployment's page is opened. */
export function useApplyChanges(name: string, preview?: string) {
  const deploy = useDeploy(name, preview);
  const restart = useRestart(name, preview);
  const open = useOpenDeployment(name);
  return {
    deploy: () => deploy.mutate(undefined, { onSuccess: open }),
    restart: () => restart.mutate(undefined, { onSuccess: open }),
    isDeploying: deploy.isPending,
    isRestarting: restart.isPending,
    error: deploy.error ?? restart.error,
  };
}
