import { Anchor, Button, Group, Menu, Stack, Text, Title } from '@mantine/core';
import { CornerDownRight, ExternalLink, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Domain } from 'simcha-client';
import { ActionMenu } from '../../../components/action-menu.tsx';
import { Card } from '../../../components/card.tsx';
import { Confirmation } from '../../../components/confirmation.tsx';
import { ForRole } from '../../../components/for-role.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { TimeAgo } from '../../../components/time-ago.tsx';
import { ToneBadge } from '../../../components/tone-badge.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { DOMAIN_TONES, stateOf } from '../api/domain-state.ts';
import { useCheckDomain, useRemoveDomain } from '../api/domains.ts';
import { words } from '../words.ts';
import { DnsRecords } from './dns-records.tsx';
import { canRedirect, DomainRedirect } from './domain-redirect.tsx';

interface DomainCardProps {
  name: string;
  ours: string;
  domain: Domain;
  /** All domains of the site. */
  domains: readonly Domain[];
}

/** Custom domain: its state, the records to set, where it redirects to, and its removal. */
export function DomainCard({ name, ours, domain, domains }: DomainCardProps) {
  const say = useWords(words);
  const notify = useNotify();
  const check = useCheckDomain(name);
  const remove = useRemoveDomain(name);
  const [open, setOpen] = useState<'redirect' | 'removal'>();
  const { hostname, address, status } = domain;
  const isPending = status === 'pending';
  const state = stateOf(domain);
  const close = () => setOpen(undefined);
  return (
    <Card aria-label={hostname}>
      <Stack>
        <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
          <Stack gap={4} style={{ minWidth: 0, flex: 1 }}>
            <Group gap="sm">
              <Title order={3} size="h4" dir="ltr" style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                {isPending ? hostname : <DomainLink address={address} hostname={hostname} />}
              </Title>
              <ToneBadge tone={DOMAIN_TONES[state]}>{say(state)}</ToneBadge>
            </Group>
            <DomainFacts domain={domain} domains={domains} />
          </Stack>
          <ForRole atLeast="administer">
            <ActionMenu label={say('actions', { hostname })}>
              {!isPending && (
                <Menu.Item
                  leftSection={<RefreshCw size={18} aria-hidden />}
                  onClick={() => check.mutate(hostname, { onSuccess: () => notify(say('checkedNow')) })}
                >
                  {say('check')}
                </Menu.Item>
              )}
              {canRedirect(domain, domains) && (
                <Menu.Item
                  leftSection={<CornerDownRight size={18} aria-hidden className="turns" />}
                  onClick={() => setOpen('redirect')}
                >
                  {say('redirect')}
                </Menu.Item>
              )}
              <Menu.Item
                color="red"
                leftSection={<Trash2 size={18} aria-hidden />}
                onClick={() => setOpen('removal')}
              >
                {say('remove')}
              </Menu.Item>
            </ActionMenu>
          </ForRole>
        </Group>
        <ProblemNote error={check.error} />
        {open === 'redirect' && (
          <DomainRedirect name={name} domain={domain} domains={domains} onClose={close} />
        )}
        {open === 'removal' && (
          <Confirmation
            about={say('removeAbout', { hostname })}
            label={say('remove')}
            error={remove.error}
            isPending={remove.isPending}
            onConfirm={() => remove.mutate(hostname, { onSuccess: () => notify(say('removed')) })}
            onCancel={close}
          />
        )}
        {isPending && <DnsRecords domain={domain} ours={ours} />}
        {isPending && (
          <Group gap="sm">
            <ForRole atLeast="administer">
              <Button
                variant="default"
                leftSection={<RefreshCw size={18} aria-hidden />}
                loading={check.isPending}
                onClick={() => check.mutate(hostname)}
              >
                {say('check')}
              </Button>
            </ForRole>
            <Text size="sm" c="dimmed" style={{ flex: '1 1 200px' }}>
              {say('looksItself')}
            </Text>
          </Group>
        )}
      </Stack>
    </Card>
  );
}

function DomainLink({ address, hostname }: { address: string; hostname: string }) {
  return (
    <Anchor href={address} target="_blank" rel="noreferrer" underline="hover" inherit>
      {hostname} <ExternalLink size={16} aria-hidden style={{ verticalAlign: '-1px' }} />
    </Anchor>
  );
}

/** What is to be known of a domain: what stands in its way, where it redirects to, and when it was checked. */
function DomainFacts({ domain, domains }: Pick<DomainCardProps, 'domain' | 'domains'>) {
  const say = useWords(words);
  const { advice, problem, redirect_to: target, checked_at: checked, certificate_asked_at: asked } = domain;
  const state = stateOf(domain);
  const isTargetPending = domains.some((other) => other.hostname === target && other.status === 'pending');
  return (
    <Stack gap={4}>
      {advice && problem !== 'record_missing' && (
        <Text c={state === 'wrong' ? 'var(--mantine-color-error)' : undefined}>{advice}</Text>
      )}
      {target && (
        <Text>
          <CornerDownRight size={16} aria-hidden className="turns" style={{ verticalAlign: '-2px' }} />{' '}
          {say(isTargetPending ? 'targetPending' : 'redirects', { target })}
        </Text>
      )}
      {state === 'found' && <Text size="sm">{say('foundAbout')}</Text>}
      <Group gap="xs" c="dimmed" fz="sm">
        {checked && (
          <span>
            {say('checked')} <TimeAgo at={checked} />
          </span>
        )}
        {asked && (
          <span>
            {say('certificateAsked')} <TimeAgo at={asked} />
          </span>
        )}
      </Group>
    </Stack>
  );
}
