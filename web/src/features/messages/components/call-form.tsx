import {
  Alert,
  Button,
  Group,
  Input,
  NumberInput,
  Radio,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { CalendarClock, PhoneMissed, PhoneOff, SkipForward, UserCheck } from 'lucide-react';
import type { NewCall, NextGuest, Round } from 'simcha-client';
import { focusOn, useFieldProblem, useFormDraft } from '../../../components/form-draft.ts';
import { useNotify, useNotifySentence } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useIdempotencyKey } from '../../../lib/idempotency-key.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { useMayEdit } from '../../events/api/access.ts';
import { eventQuery } from '../../events/api/events.ts';
import { guestQuery } from '../../guests/api/guests.ts';
import {
  ANSWERS_BY_PHONE,
  type CallValues,
  fieldOfCall,
  missingFieldOfCall,
  mostWhoCanCome,
  NO_CALL,
  newCallOf,
  OUTCOMES,
} from '../api/call.ts';
import { useAddCall, useMarkGuest } from '../api/contact-list.ts';
import { words } from '../words.ts';
import classes from './contact-list.module.css';
import { SendAt } from './send-at.tsx';

const ICONS = {
  reached: UserCheck,
  no_answer: PhoneMissed,
  call_again: CalendarClock,
  wrong_number: PhoneOff,
} as const;
const LARGEST_PARTY = 100;

interface CallFormProps {
  eventId: string;
  round: Round;
  guest: NextGuest;
}

/** Form for the outcome of a phone call and the guest's reply. After saving, the next guest appears. */
export function CallForm({ eventId, round, guest: { guest_id: guestId, name } }: CallFormProps) {
  const say = useWords(words);
  const notify = useNotify();
  const notifySentence = useNotifySentence();
  const keyFor = useIdempotencyKey();
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const add = useAddCall(eventId, round.id, guestId);
  const later = useMarkGuest(eventId, round.id);
  const { form, forget } = useFormDraft<CallValues>(`call-${round.id}-${guestId}`, NO_CALL, (values) => {
    const missing = missingFieldOfCall(values);
    return missing ? { [missing]: say(missing === 'outcome' ? 'pickOutcome' : 'pickDayAndTime') } : {};
  });
  const most = mostWhoCanCome(add.error);
  const elsewhere = useFieldProblem(form, add.error, fieldOfCall);
  const { outcome } = form.values;
  const save = (values: CallValues, more: Pick<NewCall, 'over_limit'> = {}) => {
    const body = { ...newCallOf(values), ...more };
    return add.mutateAsync({ body, key: keyFor(body) }).then(
      ({ warnings }) => {
        forget();
        // Warnings of the server that a confirmed guest waits for places. There is no Undo button, because a reply can't
        // be undone on this page. The name is said because the page shows the next guest by then.
        if (warnings.length > 0)
          notifySentence(`${name}: ${warnings.map(({ message }) => message).join(' ')}`);
        else notify(say('callNoted', { name }));
      },
      () => {},
    );
  };
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => save(values),
        (wrong) => focusOn(form, Object.keys(wrong)[0]),
      )}
    >
      <Stack gap="lg">
        <Radio.Group label={say('callOutcome')} size="md" {...form.getInputProps('outcome')}>
          <SimpleGrid cols={2} spacing="sm" mt={6}>
            {OUTCOMES.map((one) => {
              const Icon = ICONS[one];
              return (
                <Radio.Card
                  key={one}
                  value={one}
                  className={classes.outcome}
                  data-path={one === 'reached' ? 'outcome' : undefined}
                >
                  <Icon size={22} aria-hidden />
                  <span>{say(`outcome_${one}`)}</span>
                </Radio.Card>
              );
            })}
          </SimpleGrid>
        </Radio.Group>
        {outcome === 'reached' && <Answer eventId={eventId} guestId={guestId} form={form} />}
        {outcome === 'no_answer' && <Text c="dimmed">{say('noAnswerAbout')}</Text>}
        {outcome === 'wrong_number' && <Text c="dimmed">{say('wrongNumberAbout')}</Text>}
        {outcome === 'call_again' && <SendAt form={form} guestsLanguage={event.language_pref} />}
        {outcome !== '' && (
          <Textarea
            label={say('note')}
            dir="auto"
            minRows={1}
            maxLength={500}
            {...form.getInputProps('note')}
          />
        )}
        {(add.isPaused || later.isPaused) && <Text role="status">{say('onceOnline')}</Text>}
        {most === undefined ? (
          <ProblemNote error={elsewhere ?? later.error} />
        ) : (
          <TooMany
            error={add.error}
            most={most}
            values={form.values}
            onFewer={() => save({ ...form.values, coming: most })}
            onAll={() => save(form.values, { over_limit: true })}
          />
        )}
        <div className={classes.actions}>
          <Button type="submit" size="lg" loading={add.isPending} disabled={later.isPending}>
            {say('saveNext')}
          </Button>
          <Group justify="center">
            <Button
              variant="subtle"
              leftSection={<SkipForward size={18} className="turns" aria-hidden />}
              loading={later.isPending}
              disabled={add.isPending}
              onClick={() => later.mutate({ guestId, mark: 'later' })}
            >
              {say('skip')}
            </Button>
          </Group>
        </div>
      </Stack>
    </form>
  );
}

interface TooManyProps {
  error: unknown;
  /** Number of people who can come with the guest. */
  most: number;
  values: CallValues;
  onFewer(): void;
  onAll(): void;
}

/** Question about a reply for more people than can come: save fewer of them, or give all of them places. */
function TooMany({ error, most, values: { coming }, onFewer, onAll }: TooManyProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  return (
    <Alert role="alert" color="gray">
      <Stack gap="sm">
        <Text>{problemOf(error, language).sentence}</Text>
        <Group gap="sm">
          {most > 0 && (
            <Button variant="default" onClick={onFewer}>
              {say('saveFewer', { n: most })}
            </Button>
          )}
          <Button variant="default" onClick={onAll}>
            {say('saveAll', { n: Number(coming) })}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

/** Fields for the guest's reply, shown while the event accepts replies. */
function Answer({
  eventId,
  guestId,
  form,
}: {
  eventId: string;
  guestId: string;
  form: UseFormReturnType<CallValues>;
}) {
  const say = useWords(words);
  const { event } = useSuspenseQuery(eventQuery(eventId)).data;
  const mayEdit = useMayEdit(eventId);
  const { data: read } = useQuery(guestQuery(eventId, guestId));
  if (!mayEdit || event.status !== 'published') return null;
  const { answer } = form.values;
  const counted = { max: LARGEST_PARTY, allowDecimal: false, allowNegative: false } as const;
  return (
    <>
      <Input.Wrapper label={say('theirAnswer')} labelElement="div" size="md" error={form.errors.answer}>
        <SegmentedControl
          fullWidth
          my={4}
          aria-label={say('theirAnswer')}
          value={answer}
          onChange={(value) => form.setFieldValue('answer', value as CallValues['answer'])}
          data={ANSWERS_BY_PHONE.map((value) => ({ value, label: say(`answer_${value}`) }))}
          styles={{ label: { paddingInline: 4, whiteSpace: 'normal', height: '100%' } }}
        />
      </Input.Wrapper>
      {answer === 'confirmed' && (
        <SimpleGrid cols={2}>
          <NumberInput
            label={say('howMany')}
            placeholder={String(read?.guest.party_size ?? '')}
            min={1}
            {...counted}
            {...form.getInputProps('coming')}
          />
          <NumberInput
            label={say('howManyChildren')}
            min={0}
            {...counted}
            {...form.getInputProps('coming_children')}
          />
        </SimpleGrid>
      )}
    </>
  );
}
