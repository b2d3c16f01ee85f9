import { Alert, Code, Group, Stack, Text, Title } from '@mantine/core';
import { Hourglass, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Deployment } from 'simcha-client';
import { ButtonLink } from '../../../components/button-link.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { isUnderWay } from '../../sites/api/states.ts';
import { remedyOf } from '../api/remedies.ts';
import { words as remedyWords } from '../api/remedy-words.ts';
import { words } from '../words.ts';

const LINKS = {
  variables: { to: '/sites/$name/variables', label: 'toVariables' },
  settings: { to: '/sites/$name/settings', label: 'toSettings' },
  volumes: { to: '/sites/$name/volumes', label: 'toVolumes' },
} as const;

interface FailureCardProps {
  name: string;
  deployment: Deployment;
  /** True if an earlier version goes on serving. */
  isServing: boolean;
  /** Button that deploys again. */
  again: ReactNode;
}

/** Why a deployment failed or waits, and the likely remedy with the way to it. */
export function FailureCard({ name, deployment, isServing, again }: FailureCardProps) {
  const say = useWords(words);
  const sayRemedy = useWords(remedyWords);
  const { reason, status } = deployment;
  if (reason === null) return null;
  if (isUnderWay(deployment)) {
    return (
      <Alert
        role="status"
        icon={<Hourglass aria-hidden />}
        bg="var(--simcha-wait)"
        color="var(--simcha-wait-ink)"
      >
        <Text c="var(--simcha-wait-ink)" dir="auto">
          {reason}
        </Text>
      </Alert>
    );
  }
  const remedy = status === 'cancelled' ? undefined : remedyOf(deployment);
  const isBad = status === 'failed';
  const ink = isBad ? 'var(--simcha-bad-ink)' : 'var(--mantine-color-text)';
  return (
    <Alert
      role={isBad ? 'alert' : 'status'}
      icon={<TriangleAlert aria-hidden />}
      color={ink}
      bg={isBad ? 'var(--simcha-bad)' : 'var(--simcha-track)'}
    >
      <Stack gap="sm" c={ink}>
        <div>
          {isBad && (
            <Title order={2} size="h5" mb={4}>
              {say('whyFailed')}
            </Title>
          )}
          <Text dir="auto" c={ink} style={{ overflowWrap: 'anywhere' }}>
            <ReasonText reason={reason} />
          </Text>
        </div>
        {remedy && (
          <div>
            <Title order={3} size="h5" mb={4}>
              {say('whatNow')}
            </Title>
            <Text c={ink}>{sayRemedy(remedy.advice)}</Text>
          </div>
        )}
        {isServing && isBad && <Text c={ink}>{say('keptServing')}</Text>}
        {isBad && (
          <Group gap="xs">
            {remedy?.places.map(
              (place) =>
                place !== 'again' && (
                  <ButtonLink key={place} to={LINKS[place].to} params={{ name }} variant="default">
                    {say(LINKS[place].label)}
                  </ButtonLink>
                ),
            )}
            {again}
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** Reason of the server, in which commands stand between backticks. */
function ReasonText({ reason }: { reason: string }) {
  return reason.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a reason never change
      <Code key={at} dir="ltr" fz="sm">
        {part}
      </Code>
    ),
  );
}
