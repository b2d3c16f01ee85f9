import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { HardDrive, Play, Plus } from 'lucide-react';
import { useState } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ForRole } from '../../../components/for-role.tsx';
import { LoadingSkeleton } from '../../../components/loading-skeleton.tsx';
import { Note } from '../../../components/note.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useStart } from '../../sites/api/deployments.ts';
import { words as sectionWords } from '../../sites/api/section-words.ts';
import { useSite } from '../../sites/api/sites.ts';
import { volumesQuery } from '../api/volumes.ts';
import { NewVolume } from '../components/new-volume.tsx';
import { VolumeCard } from '../components/volume-card.tsx';
import { words } from '../words.ts';

/** Page with the volumes of a site. */
export function Volumes() {
  const say = useWords(words);
  const sayName = useWords(sectionWords);
  const { name, site } = useSite();
  const { data: volumes, error, refetch } = useQuery(volumesQuery(name));
  const [isAdding, setAdding] = useState(false);
  const addButton = (
    <ForRole atLeast="administer">
      <Button leftSection={<Plus size={18} aria-hidden />} onClick={() => setAdding(true)}>
        {say('create')}
      </Button>
    </ForRole>
  );
  const isAny = volumes !== undefined && volumes.length > 0;
  return (
    <Stack gap="lg">
      <PageHead order={2} title={sayName('volumes')} about={say('about')}>
        {isAny && !isAdding && addButton}
      </PageHead>
      {error && <ProblemNote error={error} onRetry={() => refetch()} />}
      {!volumes && !error && <LoadingSkeleton />}
      {isAny && site.status === 'stopped' && (
        <ForRole atLeast="deploy">
          <StartAgain name={name} />
        </ForRole>
      )}
      {isAdding && <NewVolume name={name} onClose={() => setAdding(false)} />}
      {volumes?.map((volume) => (
        <VolumeCard key={volume.name} name={name} site={site} volume={volume} />
      ))}
      {volumes?.length === 0 && !isAdding && (
        <EmptyState icon={HardDrive} title={say('emptyTitle')} about={say('none')}>
          {addButton}
        </EmptyState>
      )}
      {isAny && (
        <Text size="sm" c="dimmed">
          {say('backupNote')}
        </Text>
      )}
    </Stack>
  );
}

function StartAgain({ name }: { name: string }) {
  const say = useWords(words);
  const start = useStart(name);
  return (
    <Note>
      <Group gap="sm">
        <Text>{say('isStopped')}</Text>
        <Button
          variant="default"
          leftSection={<Play size={18} aria-hidden />}
          loading={start.isPending}
          onClick={() => start.mutate()}
        >
          {say('start')}
        </Button>
      </Group>
      <ProblemNote error={start.error} />
    </Note>
  );
}
