import { Alert, Button, Collapse, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Event, Round } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { DraftForm, type FormState } from '../../../components/draft-form.tsx';
import { EditForm } from '../../../components/edit-form.tsx';
import { useFormDraft } from '../../../components/form-draft.ts';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
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

/** Scheduled round. The user can change its texts and its time, or cancel it. */
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
          <CallOff eventId={eventId} roundId={read.round.id} onCancel={() => setDoing(undefined)} />
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
  const store = useChangeRound(eventId, id);
  return (
    <EditForm
      read={read}
      query={roundQuery(eventId, id)}
      draftKey={draftKey}
      valuesOf={({ round }) => draftOf(round)}
      changesOf={roundChangesOf}
      send={(body, { etag }): Promise<ReadRound> => store.mutateAsync({ body, etag })}
      label={labelOf}
      show={(name, value) =>
        name === 'date' && value ? shortDay(String(value), language) : String(value ?? '')
      }
      onStored={(hasChanged) => {
        notify(say(hasChanged ? 'changed' : 'nothingChanged'));
        onDone();
      }}
    >
      {(form) => <ChangeForm {...form} kind={kind} channel={channel} guestsLanguage={guestsLanguage} />}
    </EditForm>
  );

  function labelOf(name: keyof Draft): string {
    if (name === 'date' || name === 'time') return say(name);
    const textLanguage = languageOfField(name);
    return `${say(name.startsWith('subject') ? 'subject' : 'text')} · ${textLanguage ? LANGUAGES[CODE_OF[textLanguage]].name : ''}`;
  }
}

interface ChangeFormProps extends Pick<Round, 'kind' | 'channel'>, FormState<Draft> {
  guestsLanguage: Event['language_pref'];
}

function ChangeForm({ draftKey, initial, kind, channel, guestsLanguage, ...state }: ChangeFormProps) {
  const say = useWords(words);
  const [open, setOpen] = useOpenLanguage(guestsLanguage, state.error);
  const draft = useFormDraft<Draft>(draftKey, initial, (values) => {
    const missing = missingFieldOf(kind, values);
    if (!missing) return {};
    return missing === 'message' ? { [`message_${open}`]: say('wordless') } : { date: say('pickBoth') };
  });
  const { form } = draft;
  return (
    <DraftForm
      {...state}
      draft={draft}
      fieldOf={(field) => fieldOfDraft(field, open)}
      submit={say('saveIt')}
      gap="lg"
    >
      <SendAt form={form} guestsLanguage={guestsLanguage} />
      <OwnText
        form={form}
        isAlone={kind === 'message'}
        withSubject={channel === 'mail'}
        open={open}
        onOpen={setOpen}
      />
    </DraftForm>
  );
}

/** Dialog before a round is cancelled, since cancelling can't be undone. */
function CallOff({ eventId, roundId, onCancel }: { eventId: string; roundId: string; onCancel(): void }) {
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
          <Button variant="default" onClick={onCancel}>
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
