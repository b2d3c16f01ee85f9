import { Anchor, Group, Menu, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  ArrowUpFromLine,
  ExternalLink,
  GitBranch,
  GitPullRequest,
  KeyRound,
  Rocket,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import type { Preview } from 'simcha-client';
import { ActionMenu } from '../../../components/action-menu.tsx';
import { Card } from '../../../components/card.tsx';
import { Confirmation } from '../../../components/confirmation.tsx';
import { ForRole } from '../../../components/for-role.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { TimeAgo } from '../../../components/time-ago.tsx';
import { ToneBadge } from '../../../components/tone-badge.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useOpenDeployment } from '../../sites/api/deployments.ts';
import { words as stateWords } from '../../sites/api/state-words.ts';
import { toneOf } from '../../sites/api/states.ts';
import {
  lastDeploymentQuery,
  useDeployPreview,
  usePromotePreview,
  useRemovePreview,
} from '../api/previews.ts';
import { words } from '../words.ts';

/** Preview of a branch: its state and address, its last deployment, and its removal. */
export function PreviewCard({ name, preview }: { name: string; preview: Preview }) {
  const say = useWords(words);
  const sayState = useWords(stateWords);
  const notify = useNotify();
  const again = useDeployPreview(name);
  const remove = useRemovePreview(name);
  const promotion = usePromotePreview(name);
  const openDeployment = useOpenDeployment(name);
  const [confirming, setConfirming] = useState<'promote' | 'remove'>();
  const { branch, pull_request: pullRequest, status, domain } = preview;
  const Icon = pullRequest === null ? GitBranch : GitPullRequest;
  return (
    <Card aria-label={branch}>
      <Stack>
        <Group justify="space-between" align="flex-start" gap="sm">
          <Group gap="sm" wrap="nowrap" align="flex-start" style={{ minWidth: 0 }}>
            <Icon size={22} aria-hidden style={{ flex: 'none', marginTop: 3 }} />
            <div style={{ minWidth: 0 }}>
              <Title order={3} size="h4" style={{ overflowWrap: 'anywhere' }}>
                <bdi>{branch}</bdi>
              </Title>
              {pullRequest !== null && (
                <Text size="sm">{say('pullRequest', { n: String(pullRequest) })}</Text>
              )}
            </div>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ToneBadge tone={toneOf(status)}>{sayState(status)}</ToneBadge>
            <ForRole atLeast="deploy">
              <ActionMenu label={say('actions', { branch })}>
                <Menu.Item
                  leftSection={<Rocket size={18} aria-hidden />}
                  onClick={() => again.mutate(preview.name, { onSuccess: () => notify(say('deploying')) })}
                >
                  {say('again')}
                </Menu.Item>
                <ForRole atLeast="administer">
                  <Menu.Item
                    leftSection={<KeyRound size={18} aria-hidden />}
                    component={Link}
                    to={`/sites/${name}/previews/${preview.name}/variables`}
                  >
                    {say('variables')}
                  </Menu.Item>
                </ForRole>
                {preview.deployed_at !== null && (
                  <Menu.Item
                    leftSection={<ArrowUpFromLine size={18} aria-hidden />}
                    onClick={() => setConfirming('promote')}
                  >
                    {say('promote')}
                  </Menu.Item>
                )}
                <Menu.Item
                  color="red"
                  leftSection={<Trash2 size={18} aria-hidden />}
                  onClick={() => setConfirming('remove')}
                >
                  {say('remove')}
                </Menu.Item>
              </ActionMenu>
            </ForRole>
          </Group>
        </Group>
        <Anchor
          href={domain}
          target="_blank"
          rel="noreferrer"
          dir="ltr"
          underline="hover"
          style={{ alignSelf: 'flex-start', overflowWrap: 'anywhere' }}
        >
          {domain.replace(/^https?:\/\//, '')}{' '}
          <ExternalLink size={14} aria-hidden style={{ verticalAlign: '-1px' }} />
        </Anchor>
        <PreviewFacts name={name} preview={preview} />
        <ProblemNote error={again.error} />
        {confirming === 'promote' && (
          <Confirmation
            about={say('promoteAbout')}
            label={say('promote')}
            color="wine"
            error={promotion.error}
            isPending={promotion.isPending}
            onConfirm={() => promotion.mutate(preview.name, { onSuccess: openDeployment })}
            onCancel={() => setConfirming(undefined)}
          />
        )}
        {confirming === 'remove' && (
          <Confirmation
            about={say('removeAbout')}
            label={say('remove')}
            error={remove.error}
            isPending={remove.isPending}
            onConfirm={() => remove.mutate(preview.name, { onSuccess: () => notify(say('removed')) })}
            onCancel={() => setConfirming(undefined)}
          />
        )}
      </Stack>
    </Card>
  );
}

function PreviewFacts({ name, preview }: { name: string; preview: Preview }) {
  const say = useWords(words);
  const { data: deployment } = useQuery(lastDeploymentQuery(name, preview));
  const { status, deployed_at: deployed, visited_at: visited } = preview;
  return (
    <Stack gap={4}>
      {status === 'failed' && deployment?.reason && (
        <Text c="var(--mantine-color-error)">{deployment.reason}</Text>
      )}
      {status === 'asleep' && <Text size="sm">{say('asleepAbout')}</Text>}
      <Group gap="xs">
        {deployment && (
          <Anchor component={Link} to={`/sites/${name}/deployments/${deployment.deployment_uuid}`} size="sm">
            {say('lastDeployment')}
          </Anchor>
        )}
        {deployed && (
          <Text size="sm" c="dimmed">
            {say('deployed')} <TimeAgo at={deployed} />
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {say('visited')} <TimeAgo at={visited} />
        </Text>
      </Group>
    </Stack>
  );
}
