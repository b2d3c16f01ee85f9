import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { useAddVolume } from '../api/volumes.ts';
import { words } from '../words.ts';

const NAME = /^[a-z][a-z0-9-]{0,29}$/;
const PATH = /^(\/[A-Za-z0-9_][A-Za-z0-9_.-]*)+$/;

/** Form that creates a volume. */
export function NewVolume({ name: site, onClose }: { name: string; onClose(): void }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const notify = useNotify();
  const add = useAddVolume(site);
  const [name, setName] = useState('');
  const [path, setPath] = useState('');
  const problem = add.error ? problemOf(add.error, language) : undefined;
  const complaintAt = (field: string) => (problem?.field === field ? problem.complaint : undefined);
  const wrongName = name !== '' && !NAME.test(name) && say('nameForm');
  const wrongPath = path !== '' && !PATH.test(path) && path !== '/' && say('pathForm');

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (add.isPending || wrongName || wrongPath) return;
    add.mutate(
      { name, path: path as `/${string}` },
      {
        onSuccess() {
          notify(say('added'));
          onClose();
        },
      },
    );
  };
  return (
    <Card title={say('create')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {!problem?.field && <ProblemNote error={add.error} />}
          <TextInput
            label={say('name')}
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            required
            maxLength={30}
            placeholder="data"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={complaintAt('name') ?? wrongName}
          />
          <TextInput
            label={say('path')}
            description={say('pathAbout')}
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            maxLength={200}
            placeholder="/data"
            value={path}
            onChange={({ currentTarget }) => setPath(currentTarget.value)}
            error={complaintAt('path') ?? wrongPath}
          />
          <Text size="sm" c="dimmed">
            {say('switchNote')}
          </Text>
          <Group>
            <Button type="submit" loading={add.isPending}>
              {say('addIt')}
            </Button>
            <Button variant="default" onClick={onClose}>
              {say('cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
