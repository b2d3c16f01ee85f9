import { Button, Group, NumberInput, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Eraser } from 'lucide-react';
import { Card } from '../../../components/card.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import type { FormState } from '../../../components/draft-form.tsx';
import { EditForm } from '../../../components/edit-form.tsx';
import { focusOn, useFieldProblem, useFormDraft } from '../../../components/form-draft.ts';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { longDate, longDay } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { changeRetention, type ReadRetention, retentionQuery, useEraseGuests } from '../api/retention.ts';
import { words } from '../words.ts';

type Values = { retention_policy_days: number | string };

const valuesOf = ({ retention }: ReadRetention): Values => ({
  retention_policy_days: retention.retention_policy_days,
});

/** Card that says when the personal data of guests is erased, and which data remains. */
export function RetentionCard({ eventId, isOwner }: { eventId: string; isOwner: boolean }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data: read, error, refetch } = useQuery(retentionQuery(eventId));
  if (error && !read) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (!read) return <Skeleton height={240} radius="lg" />;
  const { erased_at: erased, erases_on: on } = read.retention;
  const mayChange = isOwner && erased === null;
  return (
    <Card title={say('privacy')}>
      <Stack gap="md">
        <div>
          <Text>
            {erased
              ? say('erasedOn', { date: longDate(erased, language) })
              : on
                ? say('erasesOn', { date: longDay(on, language) })
                : say('erasesNever')}
          </Text>
          <Text c="dimmed" size="sm">
            {say('erasesWhat')}
          </Text>
        </div>
        {mayChange && <RetentionForm eventId={eventId} read={read} />}
        {mayChange && <EraseNow eventId={eventId} />}
      </Stack>
    </Card>
  );
}

function RetentionForm({ eventId, read }: { eventId: string; read: ReadRetention }) {
  const say = useWords(words);
  const queries = useQueryClient();
  return (
    <EditForm
      read={read}
      query={retentionQuery(eventId)}
      draftKey={`retention-${eventId}`}
      valuesOf={valuesOf}
      changesOf={({ retention_policy_days: days }, before) =>
        Number(days) === before.retention_policy_days ? {} : { days: Number(days) }
      }
      send={({ days }: { days?: number }, of) => changeRetention(queries, eventId, Number(days), of.etag)}
      label={() => say('retentionDays')}
      show={(_name, value) => String(value)}
    >
      {(form) => <DaysForm {...form} />}
    </EditForm>
  );
}

function DaysForm({ draftKey, initial, isPending, error, onSubmit }: FormState<Values>) {
  const say = useWords(words);
  const { form } = useFormDraft<Values>(draftKey, initial, (values) => ({
    ...(values.retention_policy_days === '' && { retention_policy_days: say('missing') }),
  }));
  const problem = useFieldProblem(form, error);
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => onSubmit(values, ''),
        (errors) => focusOn(form, Object.keys(errors)[0]),
      )}
    >
      <Stack gap="sm">
        <Group gap="sm" align="flex-end">
          <NumberInput
            label={say('retentionDays')}
            min={0}
            allowDecimal={false}
            allowNegative={false}
            style={{ flex: '0 1 320px' }}
            {...form.getInputProps('retention_policy_days')}
          />
          <Button type="submit" variant="default" loading={isPending}>
            {say('save')}
          </Button>
        </Group>
        <ProblemNote error={problem} />
      </Stack>
    </form>
  );
}

function EraseNow({ eventId }: { eventId: string }) {
  const say = useWords(words);
  const notify = useNotify();
  const erase = useEraseGuests(eventId, (n) => notify(say('erasedNow', { n })));
  return (
    <ConfirmButton
      label={say('eraseNow')}
      keep={say('keep')}
      about={say('eraseNowAbout')}
      icon={<Eraser size={18} aria-hidden />}
      error={erase.error}
      isPending={erase.isPending}
      onConfirm={() => erase.mutate()}
    />
  );
}
