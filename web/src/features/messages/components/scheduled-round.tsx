import { Alert, Button, Collapse, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Event, Round } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { DraftNote } from '../../../components/draft-note.tsx';
import { focusOn, useFieldProblem, useFormDraft } from '../../../components/form-draft.ts';
import { MergeConflict } from '../../../components/merge-conflict.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useSaveWithMerge } from '../../../components/save-with-merge.ts';
import { shortDay } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { CODE_OF, LANGUAGES } from '../../../lib/languages.ts';
import { readStored } from '../../../lib/stored-value.ts';
import {
  type Draft,
  draftOf,
  fieldOfDraft,
  languageOfField,
  missingFieldOf,
  roundChangesOf,
} from '../api/draft.ts';
import { type ReadRound, roundQuery, useCallOffRound, useChangeRound } from '../api/rounds.ts';
import { words } from '../words.ts';
import { useOpenLanguage } from './open-language.ts';
import { OwnText } from './own-text.tsx';
import { SendAt } from './send-at.tsx';

interface ScheduledRoundProps {
  eventId: string;
  read: ReadRound;
  guestsLanguage: Event['language_pref'];
  mayWrite: boolean;
}

/** Scheduled round, whose texts and time can be changed, and which can be cancelled. */
export function ScheduledRound({ eventId, read, guestsLanguage, mayWrite }: ScheduledRoundProps) {
  const say = useWords(words);
  const draftKey = `round-${read.round.id}`;
  const [doing, setDoing] = useState<'change' | 'call-off' | undefined>(() =>
    mayWrite && readStored(draftKey) !== undefined ? 'change' : undefined,
  );
  const toggle = (what: 'change' | 'call-off') => setDoing(doing === what ? undefined : what);
  return (
    <Card>
      <Stack gap="md">
        <Text>{say('lookedUp')}</Text>
        {mayWrite && (
          <Group gap="sm">
            <Button variant="default" aria-expanded={doing === 'change'} onClick={() => toggle('change')}>
              {say('change_it')}
            </Button>
            <Button
              variant="subtle"
              color="red"
              aria-expanded={doing === 'call-off'}
              onClick={() => toggle('call-off')}
            >
              {say('callOff')}
            </Button>
          </Group>
        )}
        {doing === 'change' && (
          <Change
            eventId={eventId}
            read={read}
            draftKey={draftKey}
            guestsLanguage={guestsLanguage}
            onDone={() => setDoing(undefined)}
          />
        )}
        <Collapse expanded={doing === 'call-off'}>
          <CallOff eventId={eventId} roundId={read.round.id} onKeep={() => setDoing(undefined)} />
        </Collapse>
      </Stack>
    </Card>
  );
}

interface ChangeProps extends Omit<ScheduledRoundProps, 'mayWrite'> {
  draftKey: string;
  onDone(): void;
}

function Change({ eventId, read, draftKey, guestsLanguage, onDone }: ChangeProps) {
  const say = useWords(words);
  const notify = useNotify();
  const { language } = useLanguage();
  const { id, kind, channel } = read.round;
  const queries = useQueryClient();
  const store = useChangeRound(eventId, id);
  const change = useSaveWithMerge({
    read,
    draftKey,
    valuesOf: ({ round }) => draftOf(round),
    changesOf: roundChangesOf,
    readAgain: () => queries.fetchQuery({ ...roundQuery(eventId, id), staleTime: 0 }),
    send: (body, { etag }): Promise<ReadRound> => store.mutateAsync({ body, etag }),
    onStored(isOther) {
      notify(say(isOther ? 'changed' : 'nothingChanged'));
      onDone();
    },
  });
  if (change.conflict) {
    return (
      <MergeConflict
        {...change.conflict}
        isPending={change.isPending}
        label={labelOf}
        show={(name, value) =>
          name === 'date' && value ? shortDay(String(value), language) : String(value ?? '')
        }
        onChosen={change.choose}
      />
    );
  }
  return (
    <ChangeForm
      key={change.base.etag}
      draftKey={draftKey}
      initial={change.before}
      kind={kind}
      channel={channel}
      guestsLanguage={guestsLanguage}
      isPending={change.isPending}
      error={change.error}
      onSubmit={change.save}
    />
  );

  function labelOf(name: keyof Draft): string {
    if (name === 'date' || name === 'time') return say(name);
    const spoken = languageOfField(name);
    return `${say(name.startsWith('subject') ? 'subject' : 'text')} · ${spoken ? LANGUAGES[CODE_OF[spoken]].name : ''}`;
  }
}

interface ChangeFormProps extends Pick<Round, 'kind' | 'channel'> {
  draftKey: string;
  initial: Draft;
  guestsLanguage: Event['language_pref'];
  isPending: boolean;
  error: unknown;
  onSubmit(draft: Draft): void;
}

function ChangeForm(props: ChangeFormProps) {
  const { draftKey, initial, kind, channel, guestsLanguage, isPending, error, onSubmit } = props;
  const say = useWords(words);
  const [open, setOpen] = useOpenLanguage(guestsLanguage, error);
  const { form, wasRestored, startOver } = useFormDraft<Draft>(draftKey, initial, (values) => {
    const missing = missingFieldOf(kind, values);
    if (!missing) return {};
    return missing === 'message' ? { [`message_${open}`]: say('wordless') } : { date: say('pickBoth') };
  });
  const elsewhere = useFieldProblem(form, error, (field) => fieldOfDraft(field, open));
  return (
    <form noValidate onSubmit={form.onSubmit(onSubmit, (wrong) => focusOn(form, Object.keys(wrong)[0]))}>
      <Stack gap="lg">
        {wasRestored && <DraftNote onStartOver={startOver} />}
        <SendAt form={form} guestsLanguage={guestsLanguage} />
        <OwnText
          form={form}
          isAlone={kind === 'message'}
          withSubject={channel === 'mail'}
          open={open}
          onOpen={setOpen}
        />
        <ProblemNote error={elsewhere} />
        <Group>
          <Button type="submit" loading={isPending}>
            {say('saveIt')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Confirmation before a round is cancelled, since that can't be undone. */
function CallOff({ eventId, roundId, onKeep }: { eventId: string; roundId: string; onKeep(): void }) {
  const say = useWords(words);
  const notify = useNotify();
  const change = useCallOffRound(eventId, roundId);
  const callOff = () => change.mutate(undefined, { onSuccess: () => notify(say('calledOff')) });
  return (
    <Alert color="gray" role="group" aria-label={say('callOff')}>
      <Stack gap="sm">
        <Text>{say('callOffAbout')}</Text>
        <ProblemNote error={change.error} />
        <Group gap="sm">
          <Button variant="default" onClick={onKeep}>
            {say('keep')}
          </Button>
          <Button color="red" onClick={callOff} loading={change.isPending}>
            {say('callOff')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
