import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { useAddDomain } from '../api/domains.ts';
import { hostnameOf, judgeDomain, siblingOf } from '../api/hostname.ts';
import { words } from '../words.ts';

interface NewDomainProps {
  name: string;
  /** Host name that the server assigned to the site. */
  ours: string;
  /** Host names of the site's domains. */
  added: readonly string[];
  onClose(): void;
}

/** Form that adds a domain, and on request the name with or without `www.` beside it. */
export function NewDomain({ name, ours, added, onClose }: NewDomainProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const notify = useNotify();
  const add = useAddDomain(name);
  const [typed, setTyped] = useState('');
  const [isLeft, setLeft] = useState(false);
  const [withSibling, setWithSibling] = useState(true);
  const hostname = hostnameOf(typed);
  const wrong = judgeDomain(typed, { ours, added });
  const sibling = wrong ? undefined : siblingOf(hostname);
  const isOffered = sibling !== undefined && !added.includes(sibling);
  const problem = add.error ? problemOf(add.error, language) : undefined;
  const refusal = problem?.field === 'hostname' ? problem.complaint : undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setLeft(true);
    if (wrong || add.isPending) return;
    add.mutate(
      { hostname, ...(isOffered && withSibling && { sibling }) },
      {
        onSuccess() {
          notify(say('added'));
          onClose();
        },
      },
    );
  };
  return (
    <Card title={say('addTitle')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {!refusal && <ProblemNote error={add.error} />}
          <TextInput
            label={say('hostname')}
            description={say('hostnameAbout')}
            name="hostname"
            dir="ltr"
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            required
            maxLength={300}
            placeholder="www.example.com"
            value={typed}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value);
              add.reset();
            }}
            onBlur={() => setLeft(typed.trim() !== '')}
            error={refusal ?? (isLeft && wrong && say(wrong))}
          />
          {isOffered && (
            <Checkbox
              label={say('withSibling', { sibling })}
              checked={withSibling}
              onChange={({ currentTarget }) => setWithSibling(currentTarget.checked)}
            />
          )}
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
