import { Code, Group, Text } from '@mantine/core';
import { GitCommitHorizontal, Package } from 'lucide-react';
import type { Deployment } from 'simcha-client';
import { TimeAgo } from '../../../components/time-ago.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words as deploymentWords } from '../api/deployment-words.ts';
import { shortDigestOf, shortHash, titleOf } from '../api/describe-deployment.ts';

interface LastDeploymentProps {
  deployment: Deployment;
  /** True beside the deployment's title, which is then left out. */
  isBrief?: boolean;
}

/** Commit, title, author and age of a deployment, in one line. */
export function LastDeployment({ deployment, isBrief = false }: LastDeploymentProps) {
  const say = useWords(deploymentWords);
  const { commit_hash: hash, upload, requested_at: at, commit_author: author } = deployment;
  const digest = shortDigestOf(deployment);
  return (
    <Group gap={6} wrap="nowrap" c="dimmed" fz="sm" miw={0}>
      {hash !== null && !upload && (
        <>
          <GitCommitHorizontal size={16} aria-hidden style={{ flex: 'none' }} />
          <Code dir="ltr" style={{ flex: 'none' }}>
            {shortHash(hash)}
          </Code>
        </>
      )}
      {digest && (
        <>
          <Package size={16} aria-hidden style={{ flex: 'none' }} />
          <Code dir="ltr" style={{ flex: 'none' }}>
            {digest}
          </Code>
        </>
      )}
      {!isBrief && (
        <Text component="bdi" size="sm" truncate c="var(--mantine-color-text)" miw={0}>
          {titleOf(deployment, say)}
        </Text>
      )}
      {author && (
        <Text component="bdi" size="sm" truncate miw={0} visibleFrom="xs">
          {author}
        </Text>
      )}
      <Text component="span" size="sm" style={{ flex: 'none' }}>
        <TimeAgo at={at} />
      </Text>
    </Group>
  );
}
