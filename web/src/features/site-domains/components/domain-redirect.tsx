import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Domain } from 'simcha-client';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useRedirectDomain } from '../api/domains.ts';
import { words } from '../words.ts';

interface DomainRedirectProps {
  name: string;
  domain: Domain;
  domains: readonly Domain[];
  onClose(): void;
}

/** True if a domain can redirect to another one: none redirects to it, and another one shows the site. */
export function canRedirect({ hostname }: Domain, domains: readonly Domain[]): boolean {
  const isTarget = domains.some(({ redirect_to }) => redirect_to === hostname);
  return !isTarget && targetsOf(hostname, domains).length > 0;
}

const targetsOf = (hostname: string, domains: readonly Domain[]): Domain[] =>
  domains.filter((other) => other.hostname !== hostname && other.redirect_to === null);

/** Choice between showing the site at a domain and redirecting it to another one. */
export function DomainRedirect({ name, domain, domains, onClose }: DomainRedirectProps) {
  const say = useWords(words);
  const notify = useNotify();
  const redirect = useRedirectDomain(name);
  const { hostname } = domain;
  const [target, setTarget] = useState(domain.redirect_to ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    redirect.mutate(
      { hostname, redirectTo: target || null },
      {
        onSuccess() {
          notify(say('changed'));
          onClose();
        },
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <NativeSelect
          label={say('visitors')}
          size="md"
          value={target}
          onChange={({ currentTarget }) => setTarget(currentTarget.value)}
          data={[
            { value: '', label: say('seeSite') },
            ...targetsOf(hostname, domains).map((other) => ({
              value: other.hostname,
              label: say('areSentTo', { target: other.hostname }),
            })),
          ]}
        />
        <ProblemNote error={redirect.error} />
        <Group gap="sm">
          <Button type="submit" loading={redirect.isPending}>
            {say('save')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {say('cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
