import { Button, Code, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { GitCommitHorizontal } from 'lucide-react';
import { useState } from 'react';
import type { Application, PlanForecast } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { shortHash } from '../../sites/api/describe-deployment.ts';
import { useChangeSite } from '../api/new-site.ts';
import { words } from '../words.ts';

interface SourceCardProps {
  name: string;
  site: Application;
  forecast: PlanForecast | undefined;
  isLooking: boolean;
}

/** Repository, branch and folder of a new site. A change is looked at again at once. */
export function SourceCard({ name, site, forecast, isLooking }: SourceCardProps) {
  const say = useWords(words);
  const change = useChangeSite(name);
  const [root, setRoot] = useState(site.root ?? '');
  const branches = forecast?.branches ?? [];
  const offered = site.branch && !branches.includes(site.branch) ? [site.branch, ...branches] : branches;
  return (
    <Card title={say('filesTitle')}>
      <Stack gap="md">
        <Text style={{ overflowWrap: 'anywhere' }}>
          <bdi>{site.repository}</bdi>
        </Text>
        {forecast?.commit_hash && (
          <Group gap={6} c="dimmed" fz="sm" wrap="nowrap">
            <GitCommitHorizontal size={16} aria-hidden style={{ flex: 'none' }} />
            <Code dir="ltr">{shortHash(forecast.commit_hash)}</Code>
            <Text size="sm" truncate component="bdi">
              {forecast.commit_message}
            </Text>
          </Group>
        )}
        <Group align="flex-end" gap="sm">
          <NativeSelect
            size="md"
            label={say('branch')}
            value={site.branch ?? ''}
            disabled={isLooking || change.isPending}
            onChange={({ currentTarget }) => change.mutate({ branch: currentTarget.value || null })}
            data={[{ value: '', label: say('defaultBranch') }, ...offered]}
            style={{ flex: '1 1 200px' }}
          />
          <TextInput
            label={say('root')}
            placeholder={say('rootAbout')}
            value={root}
            onChange={({ currentTarget }) => setRoot(currentTarget.value)}
            style={{ flex: '1 1 200px' }}
          />
          <Button
            variant="default"
            loading={change.isPending || isLooking}
            onClick={() => change.mutate({ root: root.trim() || null })}
          >
            {say('lookAgain')}
          </Button>
        </Group>
        <ProblemNote error={change.error} />
      </Stack>
    </Card>
  );
}
