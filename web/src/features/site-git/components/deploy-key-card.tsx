import { Button, Stack, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import type { Application } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { CopyValue } from '../../../components/copy-value.tsx';
import { KeySteps } from '../../../components/host-steps/host-steps.tsx';
import { Note } from '../../../components/note.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { sshAddressOf } from '../../../lib/repository-hosts.ts';
import { useCreateDeployKey, useSetRepository } from '../api/git-access.ts';
import { words } from '../words.ts';

interface DeployKeyCardProps {
  name: string;
  site: Application;
  repository: string;
}

/** Key with which the server reads a private repository, and how it is added there. */
export function DeployKeyCard({ name, site, repository }: DeployKeyCardProps) {
  const say = useWords(words);
  const notify = useNotify();
  const create = useCreateDeployKey(name);
  const { deploy_key: key } = site;
  const createKey = () => create.mutate(undefined, { onSuccess: () => notify(say('keyCreated')) });
  return (
    <Card title={say('keyTitle')}>
      <Stack>
        <Text>{say('keyAbout')}</Text>
        {key === null ? (
          <>
            <ProblemNote error={create.error} />
            <Button
              variant="default"
              leftSection={<KeyRound size={18} aria-hidden />}
              loading={create.isPending}
              onClick={createKey}
              style={{ alignSelf: 'flex-start' }}
            >
              {say('createKey')}
            </Button>
          </>
        ) : (
          <>
            <div>
              <Text size="sm" c="dimmed">
                {say('publicKey')}
              </Text>
              <CopyValue value={key} label={say('copyKey')} />
            </div>
            <KeySteps repository={repository} />
            <SshAddress name={name} repository={repository} />
            <ConfirmButton
              label={say('replaceKey')}
              keep={say('keep')}
              about={say('replaceKeyAbout')}
              error={create.error}
              isPending={create.isPending}
              onConfirm={createKey}
            />
          </>
        )}
      </Stack>
    </Card>
  );
}

/** Offer to read the repository by ssh, without which its deploy key is of no use. */
function SshAddress({ name, repository }: { name: string; repository: string }) {
  const say = useWords(words);
  const notify = useNotify();
  const change = useSetRepository(name);
  const address = sshAddressOf(repository);
  if (address === undefined) return null;
  return (
    <Note>
      <Text>{say('needsSsh', { address: repository })}</Text>
      <ProblemNote error={change.error} />
      <Button
        variant="default"
        h="auto"
        mih={42}
        styles={{ label: { whiteSpace: 'normal' } }}
        loading={change.isPending}
        onClick={() => change.mutate(address, { onSuccess: () => notify(say('sshSaved')) })}
      >
        {say('useSsh', { address })}
      </Button>
    </Note>
  );
}
