import { Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Rocket } from 'lucide-react';
import type { Application } from 'simcha-client';
import { ButtonLink } from '../../../components/button-link.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { CardGrid, LinkCard } from '../../../components/link-card.tsx';
import { LoadingSkeleton } from '../../../components/loading-skeleton.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { ToneBadge } from '../../../components/tone-badge.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { siteNameOf, sitesQuery } from '../api/sites.ts';
import { words as stateWords } from '../api/state-words.ts';
import { toneOf } from '../api/states.ts';
import { words } from '../words.ts';

/** List of the user's sites. */
export function SiteList() {
  const say = useWords(words);
  const { data: sites, error, refetch, isPending } = useQuery(sitesQuery);
  if (isPending) return <LoadingSkeleton />;
  if (!sites) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (sites.length === 0) return <NoSites />;
  return (
    <Stack gap="lg">
      <PageHead title={say('title')}>
        <ButtonLink to="/sites/new" leftSection={<Plus size={20} aria-hidden />}>
          {say('create')}
        </ButtonLink>
      </PageHead>
      {error && <ProblemNote error={error} onRetry={() => refetch()} />}
      <CardGrid>
        {sites.map((site) => (
          <li key={site.application_uuid}>
            <SiteCard site={site} />
          </li>
        ))}
      </CardGrid>
    </Stack>
  );
}

function SiteCard({ site }: { site: Application }) {
  const sayState = useWords(stateWords);
  const { name, domain, status } = site;
  return (
    <LinkCard>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} size="h4" lineClamp={2}>
          <Link to="/sites/$name" params={{ name: siteNameOf(site) }}>
            <bdi>{name}</bdi>
          </Link>
        </Title>
        <ToneBadge tone={toneOf(status)}>{sayState(status)}</ToneBadge>
      </Group>
      <bdi>{domain.replace(/^https?:\/\//, '')}</bdi>
    </LinkCard>
  );
}

function NoSites() {
  const say = useWords(words);
  return (
    <EmptyState order={1} icon={Rocket} title={say('emptyTitle')} about={say('empty')}>
      <title>{`${say('title')} · Simcha`}</title>
      <ButtonLink to="/sites/new" size="lg">
        {say('create')}
      </ButtonLink>
    </EmptyState>
  );
}
