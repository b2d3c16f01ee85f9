import { Anchor, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { GitBranch, Package, Rocket, Variable } from 'lucide-react';
import type { Application, Deployment } from 'simcha-client';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ForRole } from '../../../components/for-role.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { ToneBadge } from '../../../components/tone-badge.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words as deploymentWords } from '../api/deployment-words.ts';
import { newestDeploymentsQuery } from '../api/deployments.ts';
import { titleOf } from '../api/describe-deployment.ts';
import { words as sectionWords } from '../api/section-words.ts';
import { useSite } from '../api/sites.ts';
import { words as stateWords } from '../api/state-words.ts';
import { toneOf } from '../api/states.ts';
import { LastDeployment } from '../components/last-deployment.tsx';
import { SiteActions } from '../components/site-actions.tsx';
import { UploadVersion } from '../components/upload-version.tsx';
import { words } from '../words.ts';

/** Overview page of a site: its state, its last deployments, and what to do with it. */
export function SiteOverview() {
  const sayName = useWords(sectionWords);
  const { name, site } = useSite();
  const { data: deployments, error, refetch } = useQuery(newestDeploymentsQuery(name));
  if (!deployments) {
    return error ? (
      <ProblemNote error={error} onRetry={() => refetch()} />
    ) : (
      <Skeleton height={200} radius="lg" />
    );
  }
  if (deployments.length === 0) return <NotDeployed name={name} site={site} />;
  return (
    <Stack gap="lg">
      <PageHead order={2} title={sayName('overview')}>
        <SiteActions name={name} site={site} />
      </PageHead>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Recent name={name} deployments={deployments} />
        <Source name={name} site={site} />
      </SimpleGrid>
    </Stack>
  );
}

function NotDeployed({ name, site }: { name: string; site: Application }) {
  const say = useWords(words);
  return (
    <Stack gap="lg">
      <EmptyState order={2} icon={Rocket} title={say('notYet')} about={say('notYetAbout')}>
        <Group justify="center">
          <ForRole atLeast="administer">
            <ButtonLink to="/sites/new" search={{ site: name }} size="lg">
              {say('review')}
            </ButtonLink>
          </ForRole>
          <ForRole atLeast="administer">
            <ButtonLink
              to="/sites/$name/variables"
              params={{ name }}
              size="lg"
              variant="default"
              leftSection={<Variable size={20} aria-hidden />}
            >
              {say('setVariables')}
            </ButtonLink>
          </ForRole>
        </Group>
      </EmptyState>
      {site.source === 'upload' && (
        <ForRole atLeast="deploy">
          <UploadVersion name={name} />
        </ForRole>
      )}
    </Stack>
  );
}

function Recent({ name, deployments }: { name: string; deployments: readonly Deployment[] }) {
  const say = useWords(words);
  return (
    <Card title={say('recent')}>
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {deployments.map((deployment) => (
          <RecentEntry key={deployment.deployment_uuid} name={name} deployment={deployment} />
        ))}
      </Stack>
      <Anchor
        mt="md"
        py={6}
        display="inline-block"
        renderRoot={(props) => <Link to="/sites/$name/deployments" params={{ name }} {...props} />}
      >
        {say('allDeployments')}
      </Anchor>
    </Card>
  );
}

function RecentEntry({ name, deployment }: { name: string; deployment: Deployment }) {
  const sayDeployment = useWords(deploymentWords);
  const sayState = useWords(stateWords);
  const { deployment_uuid: deploymentId, status } = deployment;
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <Title order={3} size="h5" fw={500} lineClamp={1} style={{ minWidth: 0 }}>
          <Anchor
            c="inherit"
            underline="hover"
            renderRoot={(props) => (
              <Link to="/sites/$name/deployments/$deploymentId" params={{ name, deploymentId }} {...props} />
            )}
          >
            <bdi>{titleOf(deployment, sayDeployment)}</bdi>
          </Anchor>
        </Title>
        <ToneBadge tone={toneOf(status)}>{sayState(status)}</ToneBadge>
      </Group>
      <LastDeployment deployment={deployment} isBrief />
      {status === 'failed' && (
        <Text size="sm" c="var(--simcha-bad-ink)" lineClamp={2} dir="auto">
          {deployment.reason}
        </Text>
      )}
    </li>
  );
}

function Source({ name, site: { source, repository, image, branch } }: { name: string; site: Application }) {
  const say = useWords(words);
  if (source === 'upload')
    return (
      <ForRole atLeast="deploy">
        <UploadVersion name={name} />
      </ForRole>
    );
  if (image !== null)
    return (
      <Card title={say('source')}>
        <Group gap={6} wrap="nowrap" align="flex-start">
          <Package size={18} aria-hidden style={{ flex: 'none', marginTop: 3 }} />
          <Text style={{ overflowWrap: 'anywhere' }}>
            <bdi>{image}</bdi>
          </Text>
        </Group>
      </Card>
    );
  return (
    <Card title={say('source')}>
      <Stack gap="xs">
        <Text style={{ overflowWrap: 'anywhere' }}>
          <bdi>{repository}</bdi>
        </Text>
        <Group gap={6} c="dimmed" wrap="nowrap">
          <GitBranch size={16} aria-hidden style={{ flex: 'none' }} />
          <Text>{branch === null ? say('defaultBranch') : say('branch', { branch })}</Text>
        </Group>
      </Stack>
    </Card>
  );
}
