import { Code, Group, Text } from '@mantine/core';
import {
  ArrowUpFromLine,
  GitBranch,
  GitCommitHorizontal,
  Package,
  Tag,
  Timer,
  UserRound,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Deployment } from 'simcha-client';
import { TimeAgo } from '../../../components/time-ago.tsx';
import { formatDuration } from '../../../lib/durations.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { words as deploymentWords } from '../../sites/api/deployment-words.ts';
import {
  durationOf,
  promotionSource,
  shortDigestOf,
  shortHash,
} from '../../sites/api/describe-deployment.ts';
import { words } from '../words.ts';

/** Commit, author, age and duration of a deployment, in one line that wraps. */
export function DeploymentFacts({ deployment }: { deployment: Deployment }) {
  const say = useWords(words);
  const sayDeployment = useWords(deploymentWords);
  const { language } = useLanguage();
  const digest = shortDigestOf(deployment);
  const {
    commit_hash: hash,
    upload,
    requested_ref: ref,
    requested_at: at,
    preview,
    action,
    commit_author: author,
  } = deployment;
  return (
    <Group gap="4px 12px" c="dimmed" fz="sm">
      {preview !== null && (
        <Fact>
          {say('preview')} <bdi>{preview}</bdi>
        </Fact>
      )}
      {action === 'promote' && (
        <Fact icon={<ArrowUpFromLine size={14} aria-hidden />}>
          {promotionSource(deployment, sayDeployment)}
        </Fact>
      )}
      {ref && ref.type !== 'commit' && (
        <Fact icon={ref.type === 'tag' ? <Tag size={14} aria-hidden /> : <GitBranch size={14} aria-hidden />}>
          {say(ref.type)} <bdi>{ref.name}</bdi>
        </Fact>
      )}
      {hash !== null && !upload && (
        <Fact icon={<GitCommitHorizontal size={16} aria-hidden />}>
          <Code dir="ltr" title={hash}>
            {shortHash(hash)}
          </Code>
        </Fact>
      )}
      {digest && (
        <Fact icon={<Package size={16} aria-hidden />}>
          <Code dir="ltr" title={deployment.image?.digest ?? ''}>
            {digest}
          </Code>
        </Fact>
      )}
      {author && (
        <Fact icon={<UserRound size={14} aria-hidden />}>
          <bdi>{author}</bdi>
        </Fact>
      )}
      <Fact>
        <TimeAgo at={at} />
      </Fact>
      <Fact icon={<Timer size={14} aria-hidden />}>{formatDuration(durationOf(deployment), language)}</Fact>
    </Group>
  );
}

function Fact({ icon, children }: { icon?: ReactNode; children: ReactNode }) {
  return (
    <Group component="span" gap={4} wrap="nowrap">
      {icon}
      <Text component="span" fz="sm">
        {children}
      </Text>
    </Group>
  );
}
