import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Globe, Plus } from 'lucide-react';
import { useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ForRole } from '../../../components/for-role.tsx';
import { LoadingSkeleton } from '../../../components/loading-skeleton.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words as sectionWords } from '../../sites/api/section-words.ts';
import { useSite } from '../../sites/api/sites.ts';
import { domainsQuery } from '../api/domains.ts';
import { byBareName } from '../api/hostname.ts';
import { DomainCard } from '../components/domain-card.tsx';
import { NewDomain } from '../components/new-domain.tsx';
import { words } from '../words.ts';

/** Page with the domains of a site: the one that the server assigned, and custom ones. */
export function Domains() {
  const say = useWords(words);
  const sayName = useWords(sectionWords);
  const { name, site } = useSite();
  const { data: domains, error, refetch } = useQuery(domainsQuery(name));
  const [isAdding, setAdding] = useState(false);
  const ours = new URL(site.domain).hostname;
  const addButton = (
    <ForRole atLeast="administer">
      <Button leftSection={<Plus size={18} aria-hidden />} onClick={() => setAdding(true)}>
        {say('add')}
      </Button>
    </ForRole>
  );
  return (
    <Stack gap="lg">
      <PageHead order={2} title={sayName('domains')} about={say('about')}>
        {!isAdding && domains !== undefined && domains.length > 0 && addButton}
      </PageHead>
      {error && <ProblemNote error={error} onRetry={() => refetch()} />}
      {!domains && !error && <LoadingSkeleton />}
      {isAdding && domains && (
        <NewDomain
          name={name}
          ours={ours}
          added={domains.map(({ hostname }) => hostname)}
          onClose={() => setAdding(false)}
        />
      )}
      <Card aria-label={say('own')}>
        <Title order={3} size="h5" style={{ overflowWrap: 'anywhere' }}>
          <bdi dir="ltr">{ours}</bdi>
        </Title>
        <Text size="sm" c="dimmed">
          {say('ownAbout')}
        </Text>
      </Card>
      {domains?.toSorted(byBareName).map((domain) => (
        <DomainCard key={domain.hostname} name={name} ours={ours} domain={domain} domains={domains} />
      ))}
      {domains?.length === 0 && !isAdding && (
        <EmptyState icon={Globe} title={say('noneTitle')} about={say('none')}>
          {addButton}
        </EmptyState>
      )}
    </Stack>
  );
}
