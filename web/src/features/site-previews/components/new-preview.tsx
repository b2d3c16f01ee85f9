import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { useOpenPreview } from '../api/previews.ts';
import { words } from '../words.ts';

/** Form that creates a preview of a branch and deploys it. */
export function NewPreview({ name, onClose }: { name: string; onClose(): void }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const notify = useNotify();
  const open = useOpenPreview(name);
  const [branch, setBranch] = useState('');
  const problem = open.error ? problemOf(open.error, language) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (open.isPending) return;
    open.mutate(branch.trim(), {
      onSuccess() {
        notify(say('created'));
        onClose();
      },
    });
  };
  return (
    <Card title={say('create')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {problem?.field !== 'branch' && <ProblemNote error={open.error} />}
          <TextInput
            label={say('branch')}
            description={say('branchAbout')}
            dir="ltr"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            required
            maxLength={200}
            placeholder="feature/menu"
            value={branch}
            onChange={({ currentTarget }) => setBranch(currentTarget.value)}
            error={problem?.field === 'branch' && problem.complaint}
          />
          <Group>
            <Button type="submit" loading={open.isPending}>
              {say('createIt')}
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
