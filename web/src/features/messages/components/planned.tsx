import { Alert, Button, Collapse, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Event, SimchaError } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { focusOn, useFieldProblem, useKeptForm } from '../../../components/kept-form.ts';
import { KeptNote } from '../../../components/kept-note.tsx';
import { fieldsOfBoth, Merge, merged } from '../../../components/merge.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useTell } from '../../../components/tell.ts';
import { shortDay } from '../../../lib/dates.ts';
import { readKept } from '../../../lib/kept.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { CODE_OF, LANGUAGES } from '../../../lib/languages.ts';
import { changesOf, type Draft, draftOf, fieldOfDraft, languageOf, missingOf } from '../api/draft.ts';
import { type ReadRound, useChangeRound } from '../api/rounds.ts';
import { words } from '../words.ts';
import { useOpenLanguage } from './open-language.ts';
import { OwnWords } from './own-words.tsx';
import { SendAt } from './send-at.tsx';

interface PlannedProps {
  eventId: string;
  read: ReadRound;
  guestsLanguage: Event['language_pref'];
  mayWrite: boolean;
}

/** One that waits for its time: its words and its time can be changed, and it can be called off. */
export function Planned({ eventId, read, guestsLanguage, mayWrite }: PlannedProps) {
  const say = useWords(words);
  const keptAs = `round-${read.round.id}`;
  const [doing, setDoing] = useState<'change' | 'call-off' | undefined>(() =>
    mayWrite && readKept(keptAs) !== undefined ? 'change' : undefined,
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
            keptAs={keptAs}
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

interface ChangeProps extends Omit<PlannedProps, 'mayWrite'> {
  keptAs: string;
  onDone(): void;
}

function Change({ eventId, read, keptAs, guestsLanguage, onDone }: ChangeProps) {
  const say = useWords(words);
  const tell = useTell();
  const { language } = useLanguage();
  // What the form was made of: what comes in meanwhile does not change what one is typing over.
  const [base, setBase] = useState(read);
  const [typed, setTyped] = useState<Draft>();
  const change = useChangeRound(eventId, base.round.id);
  const [open, setOpen] = useOpenLanguage(guestsLanguage, change.error);
  const { kind, channel } = base.round;
  const before = draftOf(base.round);
  const stored = draftOf(read.round);
  const { form, wasKept, forget, startOver } = useKeptForm<Draft>(keptAs, before, (values) => {
    const missing = missingOf(kind, values);
    if (!missing) return {};
    return missing === 'message' ? { [`message_${open}`]: say('wordless') } : { date: say('pickBoth') };
  });
  const elsewhere = useFieldProblem(form, change.error, (field) => fieldOfDraft(field, open));

  const save = (values: Draft, of: ReadRound = base) => {
    const body = changesOf(values, draftOf(of.round));
    const done = () => {
      forget();
      tell(say('changed'));
      onDone();
    };
    if (Object.keys(body).length === 0) return done();
    change.mutate(
      { kind: 'change', etag: of.etag, body },
      {
        onSuccess: done,
        onError(error) {
          if (error instanceof SimchaError && error.status === 412) setTyped(values);
        },
      },
    );
  };
  const isOutdated = typed !== undefined && read.etag !== base.etag;
  if (isOutdated && fieldsOfBoth({ before, typed, stored }).length > 0) {
    return (
      <Merge
        before={before}
        typed={typed}
        stored={stored}
        isPending={change.isPending}
        label={(name) => labelOf(name)}
        show={(name, value) =>
          name === 'date' && value ? shortDay(String(value), language) : String(value ?? '')
        }
        onChosen={(values) => {
          setBase(read);
          setTyped(undefined);
          form.setValues(values);
          save(values, read);
        }}
      />
    );
  }
  if (isOutdated) {
    // Each changed something else: both stay, for whoever presses once more.
    setBase(read);
    setTyped(undefined);
    form.setValues(merged({ before, typed, stored }));
  }
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => save(values),
        (wrong) => focusOn(form, Object.keys(wrong)[0]),
      )}
    >
      <Stack gap="lg">
        {wasKept && <KeptNote onStartOver={startOver} />}
        <SendAt form={form} guestsLanguage={guestsLanguage} />
        <OwnWords
          form={form}
          isAlone={kind === 'message'}
          withSubject={channel === 'mail'}
          open={open}
          onOpen={setOpen}
        />
        <ProblemNote error={elsewhere} />
        <Group>
          <Button type="submit" loading={change.isPending}>
            {say('saveIt')}
          </Button>
        </Group>
      </Stack>
    </form>
  );

  function labelOf(name: keyof Draft): string {
    if (name === 'date' || name === 'time') return say(name);
    const spoken = languageOf(name);
    return `${say(name.startsWith('subject') ? 'subject' : 'text')} · ${spoken ? LANGUAGES[CODE_OF[spoken]].name : ''}`;
  }
}

/** The API has no way back: it is asked before. */
function CallOff({ eventId, roundId, onKeep }: { eventId: string; roundId: string; onKeep(): void }) {
  const say = useWords(words);
  const tell = useTell();
  const change = useChangeRound(eventId, roundId);
  const callOff = () => change.mutate({ kind: 'call-off' }, { onSuccess: () => tell(say('calledOff')) });
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
