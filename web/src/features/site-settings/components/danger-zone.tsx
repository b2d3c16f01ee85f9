import { Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { CircleStop, Play, Trash2 } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { ForRole } from '../../../components/for-role.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useOpenDeployment, useStart, useStop } from '../../sites/api/deployments.ts';
import { hasRole } from '../../sites/api/roles.ts';
import { useSite } from '../../sites/api/sites.ts';
import { useDeleteSite } from '../api/settings.ts';
import { words } from '../words.ts';
import classes from './settings.module.css';

/** Card with what takes a site offline: stopping and deleting it. */
export function DangerZone() {
  const say = useWords(words);
  const { site } = useSite();
  if (!hasRole(site, 'deploy')) return null;
  return (
    <Card title={say('danger')} className={classes.danger}>
      <Stack gap="lg">
        {site.deployed_at !== null && (
          <ForRole atLeast="deploy">{site.status === 'stopped' ? <StartSite /> : <StopSite />}</ForRole>
        )}
        <ForRole atLeast="owner">
          <DeleteSite />
        </ForRole>
      </Stack>
    </Card>
  );
}

function Part({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <div className={classes.part}>
      <div className={classes.text}>
        <Title order={3} size="h5" fw={600}>
          {title}
        </Title>
        <Text c="dimmed">{about}</Text>
      </div>
      {children}
    </div>
  );
}

function StopSite() {
  const say = useWords(words);
  const notify = useNotify();
  const { name } = useSite();
  const stop = useStop(name);
  return (
    <Part title={say('stop')} about={say('stopAbout')}>
      <ConfirmButton
        label={say('stop')}
        keep={say('keepOn')}
        icon={<CircleStop size={18} aria-hidden />}
        error={stop.error}
        isPending={stop.isPending}
        onConfirm={() => stop.mutate(undefined, { onSuccess: () => notify(say('isStopped')) })}
      />
    </Part>
  );
}

function StartSite() {
  const say = useWords(words);
  const { name } = useSite();
  const start = useStart(name);
  const open = useOpenDeployment(name);
  return (
    <Part title={say('startSite')} about={say('startAbout')}>
      <Button
        variant="default"
        leftSection={<Play size={18} aria-hidden />}
        loading={start.isPending}
        onClick={() => start.mutate(undefined, { onSuccess: open })}
      >
        {say('startSite')}
      </Button>
      <ProblemNote error={start.error} />
    </Part>
  );
}

function DeleteSite() {
  const say = useWords(words);
  const navigate = useNavigate();
  const notify = useNotify();
  const { name, site } = useSite();
  const remove = useDeleteSite(name);
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const isNamed = typed.trim() === site.subdomain;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isNamed || remove.isPending) return;
    remove.mutate(undefined, {
      onSuccess() {
        notify(say('isDeleted', { name: site.name }));
        navigate({ to: '/sites' }).catch(() => {});
      },
    });
  };
  if (!isOpen)
    return (
      <Part title={say('delete')} about={say('deleteAbout')}>
        <Button
          variant="light"
          color="red"
          leftSection={<Trash2 size={18} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          {say('delete')}
        </Button>
      </Part>
    );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Title order={3} size="h5" fw={600}>
          {say('delete')}
        </Title>
        <Text>{say('deleteAbout')}</Text>
        <TextInput
          label={say('typeName', { name: site.subdomain })}
          autoFocus
          dir="ltr"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          className={classes.code}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <ProblemNote error={remove.error} />
        <div className={classes.buttons}>
          <Button type="submit" color="red" disabled={!isNamed} loading={remove.isPending}>
            {say('deleteForGood')}
          </Button>
          <Button variant="default" onClick={() => setOpen(false)}>
            {say('keep')}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
