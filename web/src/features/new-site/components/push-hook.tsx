import { Button, Collapse, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { CopyValue } from '../../../components/copy-value.tsx';
import { HookSteps } from '../../../components/host-steps/host-steps.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { hookQuery } from '../../site-git/api/git-access.ts';
import { words } from '../words.ts';

/** How every push to the repository is deployed. */
export function PushHook({ name, repository }: { name: string; repository: string }) {
  const say = useWords(words);
  const [isShown, setShown] = useState(false);
  return (
    <Card title={say('pushTitle')}>
      <Stack gap="md" align="stretch">
        <Text c="dimmed">{say('pushAbout')}</Text>
        <Button
          variant="default"
          aria-expanded={isShown}
          onClick={() => setShown(!isShown)}
          style={{ alignSelf: 'flex-start' }}
        >
          {say(isShown ? 'hideSteps' : 'showSteps')}
        </Button>
        <Collapse expanded={isShown}>{isShown && <Steps name={name} repository={repository} />}</Collapse>
      </Stack>
    </Card>
  );
}

function Steps({ name, repository }: { name: string; repository: string }) {
  const say = useWords(words);
  const { data: hook, error, refetch } = useQuery(hookQuery(name));
  if (error) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (!hook) return <Skeleton height={160} />;
  return (
    <Stack gap="sm" align="stretch">
      <CopyValue value={hook.url} label={say('copyAddress')} />
      <CopyValue value={hook.secret} label={say('copySecret')} />
      <HookSteps repository={repository} hasPreviews={false} />
    </Stack>
  );
}
