import { Anchor, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ArrowUpFromLine, GitCommitHorizontal, History, Package, Undo2, User, Webhook } from 'lucide-react';
import type { ReactNode } from 'react';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { ForRole } from '../../../components/for-role.tsx';
import { TimeAgo } from '../../../components/time-ago.tsx';
import { ToneBadge } from '../../../components/tone-badge.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words as deploymentWords } from '../../sites/api/deployment-words.ts';
import { useOpenDeployment, useRollBack } from '../../sites/api/deployments.ts';
import { promotionSource, shortDigestOf, shortHash } from '../../sites/api/describe-deployment.ts';
import { useSite } from '../../sites/api/sites.ts';
import { hostLinks, promotionOf, type SiteRelease } from '../api/release-list.ts';
import { words } from '../words.ts';
import { PromoteRelease } from './promote-release.tsx';
import classes from './releases.module.css';

interface ReleaseEntryProps {
  release: SiteRelease;
  /** Release that is live; undefined if its deployment is not listed yet. */
  current: SiteRelease | undefined;
}

/** Release in the list: its version, when it was live, and the button with which the site returns to it. */
export function ReleaseEntry({ release, current }: ReleaseEntryProps) {
  const say = useWords(words);
  const sayDeployment = useWords(deploymentWords);
  const { name, site } = useSite();
  const { deployment, isCurrent, isStored } = release;
  const { commit_message: message, upload } = deployment;
  const title = upload ? sayDeployment('uploaded', { n: upload.files }) : message || say('noMessage');
  return (
    <article className={classes.entry} aria-label={title}>
      <div className={classes.text}>
        <Group gap="sm" wrap="nowrap" align="flex-start" justify="space-between">
          <Title order={3} size="h5" fw={600} lineClamp={2}>
            <bdi>{title}</bdi>
          </Title>
          {isCurrent && (
            <ToneBadge tone={site.status === 'down' ? 'bad' : site.status === 'stopped' ? 'quiet' : 'good'}>
              {say(site.status === 'down' ? 'down' : site.status === 'stopped' ? 'stopped' : 'live')}
            </ToneBadge>
          )}
        </Group>
        <ReleaseFacts release={release} current={current} />
      </div>
      {isStored && (
        <div className={classes.buttons}>
          {!isCurrent && (
            <ForRole atLeast="deploy">
              <RollBackButton name={name} release={release} title={title} />
            </ForRole>
          )}
          <PromoteRelease release={release} title={title} />
        </div>
      )}
      {!isStored && (
        <Text size="sm" c="dimmed">
          {say('notStored')}
        </Text>
      )}
    </article>
  );
}

function ReleaseFacts({ release, current }: ReleaseEntryProps) {
  const say = useWords(words);
  const sayDeployment = useWords(deploymentWords);
  const { name, site } = useSite();
  const { deployment, first, isCurrent } = release;
  const digest = shortDigestOf(deployment);
  const { commit_hash: hash, commit_author: author, upload } = deployment;
  const liveHash = current?.deployment.commit_hash ?? null;
  const promotion = promotionOf(release);
  const links = upload ? undefined : hostLinks(site);
  const isComparable =
    !isCurrent && !upload && !current?.deployment.upload && hash && liveHash && hash !== liveHash;
  return (
    <Group gap="4px 16px" c="dimmed" fz="sm">
      {hash && !upload && (
        <Fact icon={<GitCommitHorizontal size={16} aria-hidden />}>
          {links ? (
            <Anchor href={links.commit(hash)} target="_blank" rel="noreferrer" c="inherit" fz="inherit">
              <code dir="ltr">{shortHash(hash)}</code>
            </Anchor>
          ) : (
            <code dir="ltr" title={hash}>
              {shortHash(hash)}
            </code>
          )}
        </Fact>
      )}
      {digest && (
        <Fact icon={<Package size={16} aria-hidden />}>
          <code dir="ltr" title={deployment.image?.digest ?? ''}>
            {digest}
          </code>
        </Fact>
      )}
      {author && (
        <Fact icon={<User size={14} aria-hidden />}>
          <bdi>{author}</bdi>
        </Fact>
      )}
      {first.triggered_by === 'push' && <Fact icon={<Webhook size={14} aria-hidden />}>{say('byPush')}</Fact>}
      <Fact icon={<History size={14} aria-hidden />}>
        {say('firstLive')} <TimeAgo at={first.ended_at ?? first.requested_at} />
      </Fact>
      {deployment.action === 'rollback' && isCurrent && (
        <Fact icon={<Undo2 size={14} aria-hidden />}>
          {say('rolledBack')} <TimeAgo at={deployment.ended_at ?? deployment.requested_at} />
        </Fact>
      )}
      {promotion && (
        <Fact icon={<ArrowUpFromLine size={16} aria-hidden />}>
          {promotionSource(promotion, sayDeployment)}
        </Fact>
      )}
      <Anchor
        component={Link}
        to="/sites/$name/deployments/$deploymentId"
        params={{ name, deploymentId: deployment.deployment_uuid } as never}
        c="inherit"
        fz="inherit"
      >
        {say('log')}
      </Anchor>
      {links && isComparable && (
        <Anchor
          href={links.comparison(...inOrder(release, current, hash, liveHash))}
          target="_blank"
          rel="noreferrer"
          c="inherit"
          fz="inherit"
        >
          {say('compare')}
        </Anchor>
      )}
    </Group>
  );
}

/** Commits of a release and of the live one, the earlier one first. */
function inOrder(
  release: SiteRelease,
  current: SiteRelease | undefined,
  hash: string,
  liveHash: string,
): [from: string, to: string] {
  const isEarlier = release.first.requested_at < (current?.first.requested_at ?? '');
  return isEarlier ? [hash, liveHash] : [liveHash, hash];
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <Group component="span" gap={4} wrap="nowrap">
      {icon}
      <span>{children}</span>
    </Group>
  );
}

function RollBackButton({ name, release, title }: { name: string; release: SiteRelease; title: string }) {
  const say = useWords(words);
  const open = useOpenDeployment(name);
  const rollBack = useRollBack(name);
  const { deployment_uuid: target } = release.deployment;
  return (
    <ConfirmButton
      label={say('rollBack')}
      keep={say('keep')}
      about={say('rollBackAbout', { title })}
      icon={<Undo2 size={18} aria-hidden />}
      color="wine"
      error={rollBack.error}
      isPending={rollBack.isPending}
      onConfirm={() => rollBack.mutate(target, { onSuccess: open })}
    />
  );
}
