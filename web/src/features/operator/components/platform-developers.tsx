import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Platform } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { formatCount } from '../../site-figures/api/formats.ts';
import { useChangeBudget } from '../api/platform.ts';
import { words } from '../words.ts';

type Developer = Platform['developers'][number];

/** Developers who host something, with their quotas. */
export function PlatformDevelopers({ developers }: { developers: readonly Developer[] }) {
  const say = useWords(words);
  return (
    <Card title={say('developers')}>
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {developers.map((developer) => (
          <li key={developer.account_id}>
            <DeveloperEntry developer={developer} />
          </li>
        ))}
      </Stack>
    </Card>
  );
}

function DeveloperEntry({ developer }: { developer: Developer }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const { email, used, budget } = developer;
  const share = (amount: number, limit: number) =>
    limit > 0
      ? say('ofLimit', { used: formatCount(amount, language), limit: formatCount(limit, language) })
      : say('unlimited', { used: formatCount(amount, language) });
  return (
    <Stack gap="xs">
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        <bdi dir="ltr">{email}</bdi>
      </Text>
      <Text size="sm">
        {say('applications')}: {share(used.applications, budget.applications)}
        <br />
        {say('memoryMb')}: {share(used.memory_mb, budget.memory_mb)}
      </Text>
      {isOpen ? (
        <QuotaForm developer={developer} onDone={() => setOpen(false)} />
      ) : (
        <Button variant="default" size="sm" style={{ alignSelf: 'start' }} onClick={() => setOpen(true)}>
          {say('change')}
        </Button>
      )}
    </Stack>
  );
}

function QuotaForm({ developer, onDone }: { developer: Developer; onDone(): void }) {
  const say = useWords(words);
  const { account_id: account, budget } = developer;
  const change = useChangeBudget(account);
  const [applications, setApplications] = useState<number | string>(budget.applications);
  const [memoryMb, setMemoryMb] = useState<number | string>(budget.memory_mb);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const body = { applications: Number(applications), memory_mb: Number(memoryMb) };
    change.mutate(body, { onSuccess: onDone });
  };
  const field = { min: 0, allowDecimal: false, description: say('zero'), maw: 240 } as const;
  return (
    <form onSubmit={save}>
      <Stack gap="sm">
        <NumberInput {...field} label={say('applications')} value={applications} onChange={setApplications} />
        <NumberInput {...field} label={say('memoryMb')} value={memoryMb} onChange={setMemoryMb} />
        <ProblemNote error={change.error} />
        <Group>
          <Button type="submit" loading={change.isPending}>
            {say('save')}
          </Button>
          <Button
            variant="default"
            onClick={() => change.mutate({ applications: null, memory_mb: null }, { onSuccess: onDone })}
          >
            {say('toDefault')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
