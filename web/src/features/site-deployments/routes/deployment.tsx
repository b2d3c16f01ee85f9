import { Button, Group, Stack, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ExternalLink, RotateCw, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { type Deployment, followDeploymentLines } from 'simcha-client';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { ForRole } from '../../../components/for-role.tsx';
import { LoadingSkeleton } from '../../../components/loading-skeleton.tsx';
import { LogView } from '../../../components/log-view/log-view.tsx';
import { useLog } from '../../../components/log-view/use-log.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { ToneBadge } from '../../../components/tone-badge.tsx';
import { client } from '../../../lib/api.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { words as deploymentWords } from '../../sites/api/deployment-words.ts';
import {
  deploymentQuery,
  useCancel,
  useDeploy,
  useOpenDeployment,
  useRollBack,
} from '../../sites/api/deployments.ts';
import { titleOf } from '../../sites/api/describe-deployment.ts';
import { refreshSite, useSite } from '../../sites/api/sites.ts';
import { words as stateWords } from '../../sites/api/state-words.ts';
import { isUnderWay, toneOf } from '../../sites/api/states.ts';
import { DeploymentFacts } from '../components/deployment-facts.tsx';
import { FailureCard } from '../components/failure-card.tsx';
import { words } from '../words.ts';

const route = getRouteApi('/inside/sites/$name/deployments/$deploymentId');

/** Page of one deployment: what is deployed, why it failed, and its log, live from the first line. */
export function DeploymentPage() {
  const { name, deploymentId } = route.useParams();
  const { data: deployment, error, refetch } = useQuery(deploymentQuery(name, deploymentId));
  return (
    <Stack gap="lg">
      {!deployment && (error ? <ProblemNote error={error} onRetry={() => refetch()} /> : <LoadingSkeleton />)}
      {deployment && <DeploymentDetails key={deploymentId} name={name} deployment={deployment} />}
    </Stack>
  );
}

interface DetailsProps {
  name: string;
  deployment: Deployment;
}

function DeploymentDetails({ name, deployment }: DetailsProps) {
  const sayDeployment = useWords(deploymentWords);
  const sayState = useWords(stateWords);
  const { site } = useSite();
  const { deployment_uuid: id, status } = deployment;
  return (
    <>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={6} style={{ flex: '1 1 260px', minWidth: 0 }}>
          <Group gap="sm" align="center">
            <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }}>
              <bdi>{titleOf(deployment, sayDeployment)}</bdi>
            </Title>
            <ToneBadge tone={toneOf(status)}>{sayState(status)}</ToneBadge>
          </Group>
          <DeploymentFacts deployment={deployment} />
        </Stack>
        <Actions name={name} deployment={deployment} />
      </Group>
      <FailureCard
        name={name}
        deployment={deployment}
        isServing={site.status === 'live'}
        again={
          <ForRole atLeast="deploy">
            <DeployAgain name={name} />
          </ForRole>
        }
      />
      <DeploymentLog key={id} name={name} deployment={deployment} />
    </>
  );
}

function DeploymentLog({ name, deployment }: DetailsProps) {
  const queries = useQueryClient();
  const { deployment_uuid: id } = deployment;
  const [wasOver] = useState(() => !isUnderWay(deployment));
  const log = useLog({
    key: id,
    hasSteps: true,
    open: (following) =>
      followDeploymentLines({
        client,
        path: { uuid: name, deployment: id },
        query: { colors: true },
        ...following,
      }),
    onEnd: () => {
      refreshSite(queries, name).catch(() => {});
    },
  });
  return <LogView log={log} fileName={`${name}-${id}.log`} foldsDone={wasOver} />;
}

function Actions({ name, deployment }: DetailsProps) {
  const say = useWords(words);
  const { site } = useSite();
  const cancel = useCancel(name);
  const { deployment_uuid: id, status, is_current: isCurrent, preview } = deployment;
  if (isUnderWay(deployment)) {
    return (
      <ForRole atLeast="deploy">
        <ConfirmButton
          label={say('cancel')}
          keep={say('keepOn')}
          about={say('cancelAbout')}
          error={cancel.error}
          isPending={cancel.isPending}
          onConfirm={() => cancel.mutate(id)}
        />
      </ForRole>
    );
  }
  if (status !== 'live' || preview !== null) return null;
  return isCurrent ? (
    <Button
      component="a"
      href={site.domain}
      target="_blank"
      rel="noreferrer"
      leftSection={<ExternalLink size={18} aria-hidden />}
    >
      {say('visit')}
    </Button>
  ) : (
    <ForRole atLeast="deploy">
      <RollBack name={name} id={id} />
    </ForRole>
  );
}

function RollBack({ name, id }: { name: string; id: string }) {
  const say = useWords(words);
  const open = useOpenDeployment(name);
  const rollBack = useRollBack(name);
  return (
    <Stack gap="xs">
      <Button
        variant="default"
        leftSection={<Undo2 size={18} aria-hidden className="turns" />}
        loading={rollBack.isPending}
        onClick={() => rollBack.mutate(id, { onSuccess: open })}
      >
        {say('rollBack')}
      </Button>
      <ProblemNote error={rollBack.error} />
    </Stack>
  );
}

function DeployAgain({ name }: { name: string }) {
  const say = useWords(words);
  const open = useOpenDeployment(name);
  const deploy = useDeploy(name);
  return (
    <>
      <Button
        leftSection={<RotateCw size={18} aria-hidden />}
        loading={deploy.isPending}
        onClick={() => deploy.mutate(undefined, { onSuccess: open })}
      >
        {say('deployAgain')}
      </Button>
      <ProblemNote error={deploy.error} />
    </>
  );
}
