import { Button, Checkbox, Group, NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { NewAccessToken, ShownAccessToken } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { SCOPES } from '../api/scopes.ts';
import type { TokenSearch } from '../api/search.ts';
import { subjectsQuery, type TokenSubject, useCreateToken } from '../api/tokens.ts';
import { words } from '../words.ts';

/** Lifetimes of tokens that the form offers, in days. */
const LIFETIMES = [7, 30, 90, 365] as const;
const DAY_MS = 86_400_000;

interface NewTokenProps {
  /** Scope and application that are chosen when the form opens. */
  preset: TokenSearch;
  onCreated(token: ShownAccessToken): void;
  onCancel(): void;
}

/** Form for a new access token: its name, scopes, restriction and end. */
export function NewToken({ preset, onCreated, onCancel }: NewTokenProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const create = useCreateToken();
  const [name, setName] = useState('');
  const [isFull, setFull] = useState(false);
  const [scopes, setScopes] = useState<string[]>(preset.scope ? [preset.scope] : []);
  const [subject, setSubject] = useState(preset.application ?? '');
  const [days, setDays] = useState('90');
  const [isSent, setSent] = useState(false);
  const subjects = useSubjects(preset);
  const problem = create.error ? problemOf(create.error, language) : undefined;
  const lacksScope = !isFull && scopes.length === 0;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (create.isPending || lacksScope) return;
    const body = {
      name: name.trim(),
      scopes: (isFull ? ['full'] : scopes) as NewAccessToken['scopes'],
      ...(isFull ? {} : restrictionTo(subjects.find(({ id }) => id === subject))),
      expires_at: days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
    };
    create.mutate(body, { onSuccess: onCreated });
  };
  return (
    <Card title={say('newToken')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {problem?.field !== 'name' && <ProblemNote error={create.error} />}
          <TextInput
            label={say('name')}
            description={say('nameAbout')}
            required
            autoFocus
            maxLength={100}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={problem?.field === 'name' && problem.complaint}
          />
          <Radio.Group
            label={say('access')}
            value={isFull ? 'full' : 'some'}
            onChange={(value) => setFull(value === 'full')}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="some" label={say('some')} />
              <Radio value="full" label={say('full')} description={say('fullAbout')} />
            </Stack>
          </Radio.Group>
          {!isFull && (
            <>
              <Checkbox.Group
                aria-label={say('access')}
                value={scopes}
                onChange={setScopes}
                error={isSent && lacksScope && say('noScope')}
              >
                <Stack gap="xs">
                  {SCOPES.map((scope) => (
                    <Checkbox
                      key={scope}
                      value={scope}
                      label={say(scope)}
                      description={say(`${scope}About`)}
                    />
                  ))}
                </Stack>
              </Checkbox.Group>
              <NativeSelect
                label={say('where')}
                value={subject}
                onChange={({ currentTarget }) => setSubject(currentTarget.value)}
                data={[
                  { value: '', label: say('everywhere') },
                  { group: say('events'), items: optionsOf(subjects, 'event') },
                  { group: say('applications'), items: optionsOf(subjects, 'application') },
                ]}
              />
            </>
          )}
          <NativeSelect
            label={say('end')}
            value={days}
            onChange={({ currentTarget }) => setDays(currentTarget.value)}
            data={[
              ...LIFETIMES.map((n) => ({ value: String(n), label: say('days', { n }) })),
              { value: '', label: say('never') },
            ]}
          />
          <Group>
            <Button type="submit" loading={create.isPending}>
              {say('create')}
            </Button>
            <Button variant="default" onClick={onCancel}>
              {say('cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

/** Events and applications that a token can be restricted to, with that of the page's address before they are loaded. */
function useSubjects({ application: id }: TokenSearch): readonly TokenSubject[] {
  const say = useWords(words);
  const { data: subjects = [] } = useQuery(subjectsQuery);
  if (id === undefined || subjects.some((subject) => subject.id === id)) return subjects;
  return [...subjects, { kind: 'application', id, name: say('anotherSubject') }];
}

function optionsOf(subjects: readonly TokenSubject[], kind: TokenSubject['kind']) {
  return subjects.filter((one) => one.kind === kind).map(({ id, name }) => ({ value: id, label: name }));
}

function restrictionTo(subject: TokenSubject | undefined) {
  if (!subject) return {};
  return subject.kind === 'event' ? { event_id: subject.id } : { application_id: subject.id };
}
