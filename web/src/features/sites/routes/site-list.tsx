import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Rocket } from 'lucide-react';
import { useState } from 'react';
import { ButtonLink } from '../../../components/button-link.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { CardGrid, LinkCard } from '../../../components/link-card.tsx';
import { LoadingSkeleton } from '../../../components/loading-skeleton.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { SearchInput } from '../../../components/search-input.tsx';
import { ToneBadge } from '../../../components/tone-badge.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { matchesSearch } from '../../../lib/text-search.ts';
import { lastDeploymentsQuery } from '../api/deployments.ts';
import { words as roleWords } from '../api/role-words.ts';
import { inOrder, type ListedSite } from '../api/site-order.ts';
import { siteNameOf, sitesQuery } from '../api/sites.ts';
import { words as stateWords } from '../api/state-words.ts';
import { toneOf } from '../api/states.ts';
import { LastDeployment } from '../components/last-deployment.tsx';
import { words } from '../words.ts';

/** Number of sites from which on the list has a search field. */
const MANY = 7;

/** List of the user's sites, those that failed first. */
export function SiteList() {
  const say = useWords(words);
  const [q, setQ] = useState<string>();
  const { data: sites, error, refetch, isPending } = useQuery(sitesQuery);
  const { data: last } = useQuery(lastDeploymentsQuery);
  if (isPending) return <LoadingSkeleton />;
  if (!sites) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (sites.length === 0) return <NoSites />;
  const listed = inOrder(sites.map((site) => ({ site, last: last?.get(site.application_uuid) })));
  const found = listed.filter(({ site }) => matchesSearch(q ?? '', [site.name, site.subdomain, site.domain]));
  return (
    <Stack gap="lg">
      <PageHead title={say('title')}>
        <ButtonLink to="/sites/new" leftSection={<Plus size={20} aria-hidden />}>
          {say('create')}
        </ButtonLink>
      </PageHead>
      {sites.length >= MANY && (
        <SearchInput label={say('search')} placeholder={say('search')} q={q} onSearchChange={setQ} />
      )}
      {error && <ProblemNote error={error} onRetry={() => refetch()} />}
      {found.length === 0 && <Text role="status">{say('nothingFound')}</Text>}
      <CardGrid columns={2}>
        {found.map(({ site, last }) => (
          <li key={site.application_uuid}>
            <SiteCard site={site} last={last} />
          </li>
        ))}
      </CardGrid>
    </Stack>
  );
}

function SiteCard({ site, last }: ListedSite) {
  const say = useWords(words);
  const sayState = useWords(stateWords);
  const sayRole = useWords(roleWords);
  const { name, domain, status } = site;
  const hasFailed = last?.status === 'failed' && status !== 'failed';
  return (
    <LinkCard>
      <Stack gap={6} h="100%">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={2} size="h4" lineClamp={2} style={{ minWidth: 0 }}>
            <Link to="/sites/$name" params={{ name: siteNameOf(site) }}>
              <bdi>{name}</bdi>
            </Link>
          </Title>
          <ToneBadge tone={toneOf(status)}>{sayState(status)}</ToneBadge>
        </Group>
        <Text c="dimmed" size="sm" truncate>
          <bdi>{domain.replace(/^https?:\/\//, '')}</bdi>
        </Text>
        {site.role !== 'owner' && (
          <Text c="dimmed" size="sm" truncate>
            {sayRole(site.role)} · <bdi dir="ltr">{site.owner}</bdi>
          </Text>
        )}
        {hasFailed && (
          <Text size="sm" c="var(--simcha-bad-ink)" fw={500}>
            {say('lastFailed')}
          </Text>
        )}
        {last && <LastDeployment deployment={last} />}
      </Stack>
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
