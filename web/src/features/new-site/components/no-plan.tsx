import { Alert, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { KeyRound, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { Application, PlanForecast } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { CopyValue } from '../../../components/copy-value.tsx';
import { KeySteps } from '../../../components/host-steps/host-steps.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { sshAddressOf } from '../../../lib/repository-hosts.ts';
import { remedyOf } from '../../site-deployments/api/remedies.ts';
import { words as remedyWords } from '../../site-deployments/api/remedy-words.ts';
import { useCreateDeployKey } from '../../site-git/api/git-access.ts';
import { useChangeSite } from '../api/new-site.ts';
import { words } from '../words.ts';

interface NoPlanProps {
  name: string;
  site: Application;
  forecast: PlanForecast;
}

/** Why a new site can't be deployed yet, with the remedy: another address, or a deploy key for a private repository. */
export function NoPlan({ name, site, forecast }: NoPlanProps) {
  const say = useWords(words);
  const sayRemedy = useWords(remedyWords);
  const remedy = remedyOf(forecast);
  const isPrivate = forecast.reason_code?.startsWith('no_access') ?? false;
  return (
    <>
      <Alert
        role="alert"
        icon={<TriangleAlert aria-hidden />}
        color="var(--simcha-bad-ink)"
        bg="var(--simcha-bad)"
        c="var(--simcha-bad-ink)"
      >
        <Stack gap="xs">
          <Title order={2} size="h5">
            {say('noPlan')}
          </Title>
          <Text c="var(--simcha-bad-ink)" dir="auto">
            {forecast.reason}
          </Text>
          {remedy && !isPrivate && (
            <Text c="var(--simcha-bad-ink)">
              <b>{say('whatNow')}:</b> {sayRemedy(remedy.advice)}
            </Text>
          )}
        </Stack>
      </Alert>
      {site.repository !== null && (
        <>
          {isPrivate && <DeployKeyCard name={name} site={site} repository={site.repository} />}
          <AddressCard name={name} repository={site.repository} />
        </>
      )}
    </>
  );
}

interface DeployKeyCardProps {
  name: string;
  site: Application;
  repository: string;
}

function DeployKeyCard({ name, site, repository }: DeployKeyCardProps) {
  const say = useWords(words);
  const createKey = useCreateDeployKey(name);
  const change = useChangeSite(name);
  const ssh = sshAddressOf(repository);
  const begin = () =>
    createKey.mutate(undefined, {
      // The key is of use only once the repository is fetched by ssh.
      onSuccess: () => ssh && change.mutate({ repository: ssh }),
    });
  return (
    <Card title={say('privateTitle')}>
      <Stack gap="md" align="stretch">
        <Text>{say('privateAbout')}</Text>
        {site.deploy_key ? (
          <>
            <CopyValue value={site.deploy_key} label={say('copyKey')} />
            <KeySteps repository={repository} />
            <Button
              loading={change.isPending}
              onClick={() => change.mutate({ repository: ssh ?? repository })}
              style={{ alignSelf: 'flex-start' }}
            >
              {say('lookAgain')}
            </Button>
          </>
        ) : (
          <>
            {ssh && <Text c="dimmed">{say('bySsh', { address: ssh })}</Text>}
            <Button
              leftSection={<KeyRound size={18} aria-hidden />}
              loading={createKey.isPending || change.isPending}
              onClick={begin}
              style={{ alignSelf: 'flex-start' }}
            >
              {say('createKey')}
            </Button>
          </>
        )}
        <ProblemNote error={createKey.error ?? change.error} />
      </Stack>
    </Card>
  );
}

function AddressCard({ name, repository }: { name: string; repository: string }) {
  const say = useWords(words);
  const change = useChangeSite(name);
  const [address, setAddress] = useState(repository);
  return (
    <Card>
      <Group align="flex-end" gap="sm">
        <TextInput
          label={say('address')}
          value={address}
          styles={{ input: { direction: 'ltr', textAlign: 'start' } }}
          onChange={({ currentTarget }) => setAddress(currentTarget.value)}
          style={{ flex: '1 1 240px' }}
        />
        <Button
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate({ repository: address.trim() })}
        >
          {say('saveAddress')}
        </Button>
      </Group>
      <ProblemNote error={change.error} />
    </Card>
  );
}
