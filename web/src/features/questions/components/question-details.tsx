import { Button, Divider, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EditForm, useNotifySaved } from '../../../components/edit-form.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useIdempotencyKey } from '../../../lib/idempotency-key.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { LANGUAGE_NAMES, type LanguageName } from '../../../lib/languages.ts';
import { writeStored } from '../../../lib/stored-value.ts';
import { numbersQuery } from '../api/numbers.ts';
import {
  questionQuery,
  type ReadQuestion,
  useAddQuestion,
  useChangeQuestion,
  useRemoveQuestion,
} from '../api/questions.ts';
import { words } from '../words.ts';
import { QuestionForm } from './question-form.tsx';
import {
  emptyQuestion,
  type QuestionValues,
  questionBodyOf,
  questionChangesOf,
  questionValuesOf,
} from './question-values.ts';

interface OneProps {
  eventId: string;
  eventLanguage: LanguageName;
  onDone(): void;
}

export function NewQuestion({ eventId, eventLanguage, onDone }: OneProps) {
  const say = useWords(words);
  const notify = useNotify();
  const add = useAddQuestion(eventId);
  const keyOf = useIdempotencyKey();
  const draftKey = `new-question-${eventId}`;
  const submit = (values: QuestionValues) => {
    const body = questionBodyOf(values);
    add.mutate(
      { body, key: keyOf(body) },
      {
        onSuccess() {
          writeStored(draftKey, undefined);
          notify(say('askedNow'));
          onDone();
        },
      },
    );
  };
  return (
    <QuestionForm
      draftKey={draftKey}
      initial={emptyQuestion}
      eventLanguage={eventLanguage}
      isNew
      submit={say('ask')}
      isPending={add.isPending}
      error={add.error}
      onSubmit={submit}
    />
  );
}

export function QuestionDetails({ questionId, ...one }: OneProps & { questionId: string }) {
  const { data: read, error, refetch } = useQuery(questionQuery(one.eventId, questionId));
  if (error && !read) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (!read) return <Skeleton height={420} />;
  return (
    <Stack gap="lg">
      <ChangeQuestion read={read} {...one} />
      <Divider />
      <RemoveQuestion read={read} {...one} />
    </Stack>
  );
}

function ChangeQuestion({ eventId, eventLanguage, read, onDone }: OneProps & { read: ReadQuestion }) {
  const say = useWords(words);
  const notifySaved = useNotifySaved();
  const { id } = read.question;
  const store = useChangeQuestion(eventId);
  const show = (_name: keyof QuestionValues, value: QuestionValues[keyof QuestionValues]): string =>
    Array.isArray(value)
      ? value.map((option) => LANGUAGE_NAMES.flatMap((name) => option[name] || []).join(' / ')).join(', ')
      : String(value);
  return (
    <EditForm
      read={read}
      query={questionQuery(eventId, id)}
      draftKey={`question-${id}`}
      valuesOf={({ question }) => questionValuesOf(question)}
      changesOf={questionChangesOf}
      send={(body, { etag }): Promise<ReadQuestion> => store.mutateAsync({ id, body, etag })}
      label={(name) => say(LABELS[name])}
      show={show}
      onStored={(hasChanged) => {
        notifySaved(hasChanged);
        onDone();
      }}
    >
      {(form) => <QuestionForm {...form} eventLanguage={eventLanguage} submit={say('save')} />}
    </EditForm>
  );
}

const LABELS = {
  kind: 'kind',
  hebrew: 'question',
  arabic: 'question',
  english: 'question',
  options: 'options',
  most: 'most',
} as const satisfies Record<keyof QuestionValues, keyof typeof words>;

/**
 * Button that deletes a question for good. It first says which answers are lost, and offers to stop asking the question
 * instead.
 */
function RemoveQuestion({ eventId, read, onDone }: OneProps & { read: ReadQuestion }) {
  const say = useWords(words);
  const notify = useNotify();
  const { id, asked } = read.question;
  const { data: numbers } = useQuery(numbersQuery(eventId));
  const [isAsked, setAsked] = useState(false);
  const remove = useRemoveQuestion(eventId);
  const change = useChangeQuestion(eventId);
  const answered = numbers?.questions.find((one) => one.id === id)?.answered ?? 0;
  const submit = () =>
    remove.mutate(id, {
      onSuccess() {
        writeStored(`question-${id}`, undefined);
        notify(say('removed'));
        onDone();
      },
    });
  const stop = () =>
    change.mutate(
      { id, body: { asked: false } },
      {
        onSuccess() {
          notify(say('stopped'));
          onDone();
        },
      },
    );
  return (
    <Stack gap="sm">
      {isAsked && <Text role="status">{say('removeAbout', { n: answered })}</Text>}
      <ProblemNote error={remove.error ?? change.error} />
      <Group gap="sm">
        {isAsked && (
          <Button variant="default" onClick={() => setAsked(false)}>
            {say('keep')}
          </Button>
        )}
        {isAsked && asked && (
          <Button variant="default" loading={change.isPending} onClick={stop}>
            {say('stopAsking')}
          </Button>
        )}
        <Button
          variant={isAsked ? 'filled' : 'subtle'}
          color="red"
          loading={remove.isPending}
          disabled={numbers === undefined}
          onClick={isAsked ? submit : () => setAsked(true)}
        >
          {say('remove')}
        </Button>
      </Group>
    </Stack>
  );
}
