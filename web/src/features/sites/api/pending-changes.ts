import type { Application } from 'simcha-client';
import { useDeploy, useOpenDeployment, useRestart } from './deployments.ts';

type Changed = Pick<Application, 'status' | 'last_updated' | 'deployed_at'>;

/** True if the application was changed after its live version started, and no deployment is under way. */
export const hasPendingChanges = ({
  status,
  last_updated: changed,
  deployed_at: deployed,
}: Changed): boolean =>
  deployed !== null && status !== 'deploying' && Date.parse(changed) > Date.parse(deployed);

/** Deployment or restart with which changes take effect. Once requested, the deployment's page is opened. */
export function useApplyChanges(name: string) {
  const deploy = useDeploy(name);
  const restart = useRestart(name);
  const open = useOpenDeployment(name);
  return {
    deploy: () => deploy.mutate(undefined, { onSuccess: open }),
    restart: () => restart.mutate(undefined, { onSuccess: open }),
    isDeploying: deploy.isPending,
    isRestarting: restart.isPending,
    error: deploy.error ?? restart.error,
  };
}
