import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import type { Application } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { CopyValue } from '../../../components/copy-value.tsx';
import { HookSteps } from '../../../components/host-steps/host-steps.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { hookQuery, useRenewHook } from '../api/git-access.ts';
import { words } from '../words.ts';

interface PushHookCardProps {
  name: string;
  site: Application;
  repository: string;
}

/** Webhook by which pushes deploy a site: its address, its secret, and how it is set up at the repository's host. */
export function PushHookCard({ name, site, repository }: PushHookCardProps) {
  const say = useWords(words);
  const notify = useNotify();
  const { data: hook, error, refetch } = useQuery(hookQuery(name));
  const renew = useRenewHook(name);
  const [isShown, setShown] = useState(false);
  return (
    <Card title={say('hookTitle')}>
      <Stack>
        <Text>{say('hookAbout')}</Text>
        <ProblemNote error={error} onRetry={() => refetch()} />
        {!hook && !error && <Skeleton height={90} />}
        {hook && (
          <>
            <div>
              <Text size="sm" c="dimmed">
                {say('hookAddress')}
              </Text>
              <CopyValue value={hook.url} label={say('copyAddress')} />
            </div>
            <div>
              <Text size="sm" c="dimmed">
                {say('secret')}
              </Text>
              {isShown ? (
                <CopyValue value={hook.secret} label={say('copySecret')} />
              ) : (
                <Button
                  variant="default"
                  leftSection={<Eye size={18} aria-hidden />}
                  onClick={() => setShown(true)}
                >
                  {say('showSecret')}
                </Button>
              )}
            </div>
            <HookSteps repository={repository} hasPreviews={site.previews !== 'off'} />
            <ConfirmButton
              label={say('renewSecret')}
              keep={say('keep')}
              about={say('renewAbout')}
              error={renew.error}
              isPending={renew.isPending}
              onConfirm={() =>
                renew.mutate(undefined, {
                  onSuccess() {
                    setShown(true);
                    notify(say('renewed'));
                  },
                })
              }
            />
          </>
        )}
      </Stack>
    </Card>
  );
}
