import { Button, Group, SimpleGrid, Skeleton, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SavedAgendaItem } from 'simcha-client';
import { DayInput } from '../../../components/day-input.tsx';
import { DraftNote } from '../../../components/draft-note.tsx';
import { focusOn, useFieldProblem, useFormDraft } from '../../../components/form-draft.ts';
import { MergeConflict } from '../../../components/merge-conflict.tsx';
import { useNotifySentence } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useSaveWithMerge } from '../../../components/save-with-merge.ts';
import { TimeInput } from '../../../components/time-input.tsx';
import { useIdempotencyKey } from '../../../lib/idempotency-key.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { writeStored } from '../../../lib/stored-value.ts';
import {
  agendaItemQuery,
  type ReadAgendaItem,
  useAddAgendaItem,
  useChangeAgendaItem,
} from '../api/agenda.ts';
import { words } from '../words.ts';
import { fieldOfItem, type ItemValues, itemBodyOf, itemValuesOf } from './agenda-values.ts';

interface NewItemProps {
  eventId: string;
  initial: ItemValues;
  onDone(): void;
}

export function NewItem({ eventId, initial, onDone }: NewItemProps) {
  const say = useWords(words);
  const notifyOf = useNotifyOf();
  const add = useAddAgendaItem(eventId);
  const keyOf = useIdempotencyKey();
  const draftKey = `new-item-${eventId}`;
  const submit = (values: ItemValues) => {
    const body = itemBodyOf(values);
    add.mutate(
      { body, key: keyOf(body) },
      {
        onSuccess(saved) {
          writeStored(draftKey, undefined);
          notifyOf(saved.warnings);
          onDone();
        },
      },
    );
  };
  return (
    <ItemForm
      draftKey={draftKey}
      initial={initial}
      submit={say('addItemNow')}
      isPending={add.isPending}
      error={add.error}
      onSubmit={submit}
      onLeave={() => {
        writeStored(draftKey, undefined);
        onDone();
      }}
    />
  );
}

interface ChangeItemProps {
  eventId: string;
  itemId: string;
  onDone(): void;
}

export function ChangeItem({ eventId, itemId, onDone }: ChangeItemProps) {
  const { data: read, error, refetch } = useQuery(agendaItemQuery(eventId, itemId));
  if (error && !read) return <ProblemNote error={error} again={() => refetch()} />;
  if (!read) return <Skeleton height={360} />;
  return <ReadItemForm eventId={eventId} read={read} onDone={onDone} />;
}

function ReadItemForm({ eventId, read, onDone }: Omit<ChangeItemProps, 'itemId'> & { read: ReadAgendaItem }) {
  const say = useWords(words);
  const notifyOf = useNotifyOf();
  const queries = useQueryClient();
  const { id } = read.item;
  const draftKey = `item-${id}`;
  const store = useChangeAgendaItem(eventId, id);
  const change = useSaveWithMerge({
    read,
    draftKey,
    valuesOf: ({ item }) => itemValuesOf(item),
    readAgain: () => queries.fetchQuery({ ...agendaItemQuery(eventId, id), staleTime: 0 }),
    changesOf(values: ItemValues, before) {
      const same = itemBodyOf(before);
      const changed = Object.entries(itemBodyOf(values)).filter(
        ([name, value]) => value !== same[name as keyof typeof same],
      );
      return Object.fromEntries(changed);
    },
    async send(body, of) {
      const saved = await store.mutateAsync({ body, etag: of.etag });
      notifyOf(saved.warnings);
      return saved;
    },
    onStored: onDone,
  });
  if (change.conflict) {
    return (
      <MergeConflict
        {...change.conflict}
        isPending={change.isPending}
        label={(name) => say(name)}
        show={(_name, value) => value ?? ''}
        onChosen={change.choose}
      />
    );
  }
  return (
    <ItemForm
      key={change.base.etag}
      draftKey={draftKey}
      initial={change.before}
      submit={say('save')}
      isPending={change.isPending}
      error={change.error}
      onSubmit={change.save}
      onLeave={() => {
        writeStored(draftKey, undefined);
        onDone();
      }}
    />
  );
}

/** Returns a function that reports success together with the server's warnings. */
function useNotifyOf(): (warnings: SavedAgendaItem['warnings']) => void {
  const say = useWords(words);
  const notify = useNotifySentence();
  return (warnings) => notify([say('saved'), ...warnings.map(({ message }) => message)].join(' '));
}

interface ItemFormProps {
  draftKey: string;
  initial: ItemValues;
  submit: string;
  isPending: boolean;
  error: unknown;
  onSubmit(values: ItemValues): void;
  onLeave(): void;
}

function ItemForm({ draftKey, initial, submit, isPending, error, onSubmit, onLeave }: ItemFormProps) {
  const say = useWords(words);
  const { form, wasRestored, startOver } = useFormDraft<ItemValues>(draftKey, initial, (values) => ({
    ...(!values.item_title.trim() && { item_title: say('missing') }),
    ...(!values.date && { date: say('missing') }),
    ...(!values.time && { time: say('missing') }),
  }));
  const problem = useFieldProblem(form, error, fieldOfItem);
  return (
    <form noValidate onSubmit={form.onSubmit(onSubmit, (errors) => focusOn(form, Object.keys(errors)[0]))}>
      <Stack gap="md" py="sm">
        {wasRestored && <DraftNote onStartOver={startOver} />}
        <TextInput
          label={say('item_title')}
          dir="auto"
          required
          autoFocus
          autoComplete="off"
          {...form.getInputProps('item_title')}
        />
        <DayInput label={say('date')} required clearable={false} {...form.getInputProps('date')} />
        <SimpleGrid cols={2}>
          <TimeInput label={say('time')} required {...form.getInputProps('time')} />
          <TimeInput label={say('end_time')} {...form.getInputProps('end_time')} />
        </SimpleGrid>
        {initial.end_date && <DayInput label={say('end_date')} {...form.getInputProps('end_date')} />}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={say('place')} dir="auto" autoComplete="off" {...form.getInputProps('place')} />
          <TextInput
            label={say('speaker')}
            dir="auto"
            autoComplete="off"
            {...form.getInputProps('speaker')}
          />
        </SimpleGrid>
        <Textarea
          label={say('item_description')}
          dir="auto"
          minRows={2}
          {...form.getInputProps('item_description')}
        />
        <ProblemNote error={problem} />
        <Group gap="sm">
          <Button type="submit" loading={isPending}>
            {submit}
          </Button>
          <Button variant="default" onClick={onLeave}>
            {say('leave')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
