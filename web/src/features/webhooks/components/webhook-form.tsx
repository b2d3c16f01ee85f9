import { Button, Checkbox, Fieldset, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { NewWebhook } from 'simcha-client';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { subjectsQuery, type TokenSubject } from '../../tokens/api/tokens.ts';
import { EVENT_KINDS, type Kind, SITE_KINDS } from '../api/webhooks.ts';
import { words } from '../words.ts';

export type WebhookFields = Pick<NewWebhook, 'url' | 'kinds' | 'description'>;
type Restriction = Pick<NewWebhook, 'application_id' | 'event_id'>;

interface WebhookFormProps {
  /** Fields at first. */
  initial: WebhookFields & Restriction;
  /** True for a webhook that exists: its restriction can't be changed. */
  exists: boolean;
  error: Error | null;
  isPending: boolean;
  sendLabel: string;
  onSend(fields: WebhookFields, restriction: Restriction): void;
  onCancel(): void;
}

/** Form with the fields of a webhook: its address, the kinds of messages, and what it is about. */
export function WebhookForm(props: WebhookFormProps) {
  const { initial, exists, error, isPending, sendLabel, onSend, onCancel } = props;
  const say = useWords(words);
  const { language } = useLanguage();
  const [url, setUrl] = useState(initial.url);
  const [kinds, setKinds] = useState<string[]>(initial.kinds);
  const [description, setDescription] = useState(initial.description ?? '');
  const [subject, setSubject] = useState(initial.application_id ?? initial.event_id ?? '');
  const [isSent, setSent] = useState(false);
  const { data: subjects = [] } = useQuery(subjectsQuery);
  const problem = error ? problemOf(error, language) : undefined;
  const about = subjects.find(({ id }) => id === subject)?.kind ?? sideOf(initial);
  const offered: readonly Kind[] = [
    ...(about === 'application' ? [] : EVENT_KINDS),
    ...(about === 'event' ? [] : SITE_KINDS),
  ];
  const chosen = offered.filter((kind) => kinds.includes(kind));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (isPending || chosen.length === 0) return;
    const fields = { url: url.trim(), kinds: [...chosen], description: description.trim() };
    onSend(fields, restrictionTo(subject, about));
  };
  const group = (title: string, list: readonly Kind[]) => (
    <Fieldset legend={title}>
      <Stack gap="xs">
        {list.map((kind) => (
          <Checkbox key={kind} value={kind} label={say(kind)} />
        ))}
      </Stack>
    </Fieldset>
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {problem?.field !== 'url' && <ProblemNote error={error} />}
        <TextInput
          label={say('url')}
          description={say('urlAbout')}
          type="url"
          dir="ltr"
          required
          autoFocus
          maxLength={2000}
          placeholder="https://"
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
          error={problem?.field === 'url' && problem.complaint}
        />
        {!exists && (
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
        )}
        <Checkbox.Group
          label={say('kinds')}
          value={kinds}
          onChange={setKinds}
          error={isSent && chosen.length === 0 && say('noKind')}
        >
          <Stack gap="sm" mt="xs">
            {about !== 'application' && group(say('events'), EVENT_KINDS)}
            {about !== 'event' && group(say('applications'), SITE_KINDS)}
          </Stack>
        </Checkbox.Group>
        <TextInput
          label={say('description')}
          description={say('descriptionAbout')}
          maxLength={200}
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={isPending}>
            {sendLabel}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {say('cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function sideOf({ application_id, event_id }: Restriction): TokenSubject['kind'] | undefined {
  if (application_id) return 'application';
  return event_id ? 'event' : undefined;
}

function restrictionTo(subject: string, about: TokenSubject['kind'] | undefined): Restriction {
  if (subject === '' || !about) return {};
  return about === 'event' ? { event_id: subject } : { application_id: subject };
}

function optionsOf(subjects: readonly TokenSubject[], kind: TokenSubject['kind']) {
  return subjects.filter((one) => one.kind === kind).map(({ id, name }) => ({ value: id, label: name }));
}
