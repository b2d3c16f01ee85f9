import { Button, Group, Stack } from '@mantine/core';
import { CirclePlay, CircleStop, ExternalLink, Rocket, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Application } from 'simcha-client';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useDeploy, useOpenDeployment, useRestart, useStart, useStop } from '../api/deployments.ts';
import { hasRole } from '../api/roles.ts';
import { words } from '../words.ts';

/** Buttons that deploy, restart, stop and start a site, as its state allows. */
export function SiteActions({ name, site }: { name: string; site: Application }) {
  const say = useWords(words);
  const open = useOpenDeployment(name);
  const notify = useNotify();
  const [deploy, restart, start, stop] = [useDeploy(name), useRestart(name), useStart(name), useStop(name)];
  const { status, source } = site;
  const may = hasRole(site, 'deploy');
  const isRunning = status === 'live' || status === 'down' || status === 'deploying';
  const error = deploy.error ?? restart.error ?? start.error;
  const button = (label: string, icon: ReactNode, change: typeof deploy, isMain = false) => (
    <Button
      variant={isMain ? 'filled' : 'default'}
      leftSection={icon}
      loading={change.isPending}
      onClick={() => change.mutate(undefined, { onSuccess: open })}
    >
      {label}
    </Button>
  );
  return (
    <Stack gap="sm" align="stretch">
      <Group gap="sm" align="flex-end">
        {may && source !== 'upload' && button(say('deploy'), <Rocket size={18} aria-hidden />, deploy, true)}
        {status === 'live' && (
          <Button
            component="a"
            href={site.domain}
            target="_blank"
            rel="noreferrer"
            variant="default"
            leftSection={<ExternalLink size={18} aria-hidden />}
          >
            {say('visit')}
          </Button>
        )}
        {may &&
          (status === 'live' || status === 'down') &&
          button(say('restart'), <RotateCw size={18} aria-hidden />, restart)}
        {may && status === 'stopped' && button(say('start'), <CirclePlay size={18} aria-hidden />, start)}
        {may && isRunning && (
          <ConfirmButton
            label={say('stop')}
            keep={say('keepRunning')}
            about={say('stopAbout')}
            icon={<CircleStop size={18} aria-hidden />}
            error={stop.error}
            isPending={stop.isPending}
            onConfirm={() => stop.mutate(undefined, { onSuccess: () => notify(say('stopped')) })}
          />
        )}
      </Group>
      <ProblemNote error={error} />
    </Stack>
  );
}
