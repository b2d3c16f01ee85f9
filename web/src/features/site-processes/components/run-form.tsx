import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useIdempotencyKey } from '../../../lib/idempotency-key.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { useRun } from '../api/runs.ts';
import { words } from '../words.ts';
import classes from './processes.module.css';

/** Form that runs a command once, and opens its output. */
export function RunForm({ siteName }: { siteName: string }) {
  const say = useWords(words);
  const navigate = useNavigate();
  const start = useRun(siteName);
  const [command, setCommand] = useState('');
  const [started, setStarted] = useState(0);
  const keyFor = useIdempotencyKey();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (start.isPending || command.trim() === '') return;
    start.mutate(
      { command: command.trim(), key: keyFor([command.trim(), started]) },
      {
        onSuccess({ run_uuid: run }) {
          setStarted(started + 1);
          navigate({ to: '.', search: { run }, resetScroll: false }).catch(() => {});
        },
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Group gap="sm" align="flex-end">
          <TextInput
            label={say('command')}
            description={say('commandAbout')}
            placeholder="node scripts/seed.js"
            dir="ltr"
            maxLength={10_000}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            className={classes.commandInput}
            value={command}
            onChange={({ currentTarget }) => setCommand(currentTarget.value)}
          />
          <Button type="submit" leftSection={<Play size={16} aria-hidden />} loading={start.isPending}>
            {say('run')}
          </Button>
        </Group>
        <ProblemNote error={start.error} />
      </Stack>
    </form>
  );
}
