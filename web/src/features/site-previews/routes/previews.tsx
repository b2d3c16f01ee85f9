import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { GitBranch, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Application } from 'simcha-client';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ForRole } from '../../../components/for-role.tsx';
import { LoadingSkeleton } from '../../../components/loading-skeleton.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words as sectionWords } from '../../sites/api/section-words.ts';
import { useSite } from '../../sites/api/sites.ts';
import { previewsQuery } from '../api/previews.ts';
import { NewPreview } from '../components/new-preview.tsx';
import { PreviewCard } from '../components/preview-card.tsx';
import { PreviewPolicy } from '../components/preview-policy.tsx';
import { words } from '../words.ts';

/** Page with the previews of a site: those of branches and of pull requests. */
export function Previews() {
  const say = useWords(words);
  const sayName = useWords(sectionWords);
  const { name, site } = useSite();
  if (site.source === 'repository') return <PreviewList name={name} site={site} />;
  return (
    <Stack gap="lg">
      <PageHead order={2} title={sayName('previews')} />
      <EmptyState icon={GitBranch} title={say('emptyTitle')} about={say('noRepository')} />
    </Stack>
  );
}

function PreviewList({ name, site }: { name: string; site: Application }) {
  const say = useWords(words);
  const sayName = useWords(sectionWords);
  const { data: previews, error, refetch } = useQuery(previewsQuery(name));
  const [isAdding, setAdding] = useState(false);
  const addButton = (
    <ForRole atLeast="deploy">
      <Button leftSection={<Plus size={18} aria-hidden />} onClick={() => setAdding(true)}>
        {say('create')}
      </Button>
    </ForRole>
  );
  return (
    <Stack gap="lg">
      <PageHead order={2} title={sayName('previews')} about={say('about')}>
        {previews !== undefined && previews.length > 0 && !isAdding && addButton}
      </PageHead>
      {error && <ProblemNote error={error} onRetry={() => refetch()} />}
      {!previews && !error && <LoadingSkeleton />}
      {isAdding && <NewPreview name={name} onClose={() => setAdding(false)} />}
      {previews?.map((preview) => (
        <PreviewCard key={preview.name} name={name} preview={preview} />
      ))}
      {previews?.length === 0 && !isAdding && (
        <EmptyState icon={GitBranch} title={say('emptyTitle')} about={say('none')}>
          {addButton}
        </EmptyState>
      )}
      <ForRole atLeast="administer">
        <PreviewPolicy name={name} site={site} />
      </ForRole>
    </Stack>
  );
}
