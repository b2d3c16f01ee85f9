import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Rocket } from 'lucide-react';
import type { Deployment } from 'simcha-client';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ForRole } from '../../../components/for-role.tsx';
import { LinkCard } from '../../../components/link-card.tsx';
import { LoadingSkeleton } from '../../../components/loading-skeleton.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { ToneBadge } from '../../../components/tone-badge.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words as deploymentWords } from '../../sites/api/deployment-words.ts';
import { deploymentsQuery, useDeploy, useOpenDeployment } from '../../sites/api/deployments.ts';
import { titleOf } from '../../sites/api/describe-deployment.ts';
import { useSite } from '../../sites/api/sites.ts';
import { words as stateWords } from '../../sites/api/state-words.ts';
import { toneOf } from '../../sites/api/states.ts';
import { DeploymentFacts } from '../components/deployment-facts.tsx';
import { words } from '../words.ts';

/** List of a site's deployments, newest first. */
export function DeploymentList() {
  const say = useWords(words);
  const { name } = useSite();
  const { data, error, refetch, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(deploymentsQuery(name));
  const deployments = data?.pages.flatMap((page) => page.deployments) ?? [];
  return (
    <Stack gap="md">
      <PageHead order={2} title={say('title')}>
        <ForRole atLeast="deploy">
          <DeployButton name={name} />
        </ForRole>
      </PageHead>
      {error && <ProblemNote error={error} onRetry={() => refetch()} />}
      {isPending && <LoadingSkeleton />}
      {data && deployments.length === 0 && (
        <EmptyState icon={Rocket} title={say('emptyTitle')} about={say('empty')} />
      )}
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {deployments.map((deployment) => (
          <li key={deployment.deployment_uuid}>
            <DeploymentCard name={name} deployment={deployment} />
          </li>
        ))}
      </Stack>
      {hasNextPage && (
        <Button
          variant="default"
          loading={isFetchingNextPage}
          onClick={() => fetchNextPage()}
          style={{ alignSelf: 'center' }}
        >
          {say('older')}
        </Button>
      )}
    </Stack>
  );
}

function DeployButton({ name }: { name: string }) {
  const say = useWords(words);
  const open = useOpenDeployment(name);
  const deploy = useDeploy(name);
  return (
    <>
      <Button
        leftSection={<Rocket size={18} aria-hidden />}
        loading={deploy.isPending}
        onClick={() => deploy.mutate(undefined, { onSuccess: open })}
      >
        {say('deploy')}
      </Button>
      <ProblemNote error={deploy.error} />
    </>
  );
}

function DeploymentCard({ name, deployment }: { name: string; deployment: Deployment }) {
  const say = useWords(words);
  const sayDeployment = useWords(deploymentWords);
  const sayState = useWords(stateWords);
  const { deployment_uuid: deploymentId, status, is_current: isCurrent, reason } = deployment;
  return (
    <LinkCard>
      <Stack gap={6}>
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={3} size="h5" lineClamp={2} style={{ minWidth: 0 }}>
            <Link to="/sites/$name/deployments/$deploymentId" params={{ name, deploymentId }}>
              <bdi>{titleOf(deployment, sayDeployment)}</bdi>
            </Link>
          </Title>
          <Group gap={6} wrap="nowrap" style={{ flex: 'none' }}>
            {isCurrent && <ToneBadge tone="quiet">{say('current')}</ToneBadge>}
            <ToneBadge tone={toneOf(status)}>{sayState(status)}</ToneBadge>
          </Group>
        </Group>
        <DeploymentFacts deployment={deployment} />
        {reason !== null && status === 'failed' && (
          <Text size="sm" c="var(--simcha-bad-ink)" lineClamp={2} dir="auto">
            {reason}
          </Text>
        )}
      </Stack>
    </LinkCard>
  );
}
