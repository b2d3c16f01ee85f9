import { Button, Group, SimpleGrid, Skeleton, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SavedAgendaItem } from 'simcha-client';
import { useSafeChange } from '../../../components/changed-elsewhere.ts';
import { DayInput } from '../../../components/day-input.tsx';
import { DraftNote } from '../../../components/draft-note.tsx';
import { focusOn, useFieldProblem, useFormDraft } from '../../../components/form-draft.ts';
import { Merge } from '../../../components/merge.tsx';
import { useNotifyWhole } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { TimeInput } from '../../../components/time-input.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useOnceKey } from '../../../lib/once-key.ts';
import { writeStored } from '../../../lib/stored-value.ts';
import { agendaItemQuery, type ReadItem, useAddItem, useChangeItem } from '../api/agenda.ts';
import { words } from '../words.ts';
import { fieldOfItem, type ItemValues, itemBodyOf, itemValuesOf } from './agenda-values.ts';

interface NewItemProps {
  eventId: string;
  initial: ItemValues;
  onDone(): void;
}

export function NewItem({ eventId, initial, onDone }: NewItemProps) {
  const say = useWords(words);
  const tellOf = useTellOf();
  const add = useAddItem(eventId);
  const keyOf = useOnceKey();
  const keptAs = `new-item-${eventId}`;
  const submit = (values: ItemValues) => {
    const body = itemBodyOf(values);
    add.mutate(
      { body, key: keyOf(body) },
      {
        onSuccess(saved) {
          writeStored(keptAs, undefined);
          tellOf(saved.warnings);
          onDone();
        },
      },
    );
  };
  return (
    <ItemForm
      keptAs={keptAs}
      initial={initial}
      submit={say('addItemNow')}
      isPending={add.isPending}
      error={add.error}
      onSubmit={submit}
      onLeave={() => {
        writeStored(keptAs, undefined);
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

function ReadItemForm({ eventId, read, onDone }: Omit<ChangeItemProps, 'itemId'> & { read: ReadItem }) {
  const say = useWords(words);
  const tellOf = useTellOf();
  const queries = useQueryClient();
  const { id } = read.item;
  const keptAs = `item-${id}`;
  const store = useChangeItem(eventId, id);
  const change = useSafeChange({
    read,
    keptAs,
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
      tellOf(saved.warnings);
      return saved;
    },
    onStored: onDone,
  });
  if (change.conflict) {
    return (
      <Merge
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
      keptAs={keptAs}
      initial={change.before}
      submit={say('save')}
      isPending={change.isPending}
      error={change.error}
      onSubmit={change.save}
      onLeave={() => {
        writeStored(keptAs, undefined);
        onDone();
      }}
    />
  );
}

/** Returns a function that reports success together with the server's warnings. */
function useTellOf(): (warnings: SavedAgendaItem['warnings']) => void {
  const say = useWords(words);
  const tell = useNotifyWhole();
  return (warnings) => tell([say('saved'), ...warnings.map(({ message }) => message)].join(' '));
}

interface ItemFormProps {
  keptAs: string;
  initial: ItemValues;
  submit: string;
  isPending: boolean;
  error: unknown;
  onSubmit(values: ItemValues): void;
  onLeave(): void;
}

function ItemForm({ keptAs, initial, submit, isPending, error, onSubmit, onLeave }: ItemFormProps) {
  const say = useWords(words);
  const { form, wasKept, startOver } = useFormDraft<ItemValues>(keptAs, initial, (values) => ({
    ...(!values.item_title.trim() && { item_title: say('missing') }),
    ...(!values.date && { date: say('missing') }),
    ...(!values.time && { time: say('missing') }),
  }));
  const problem = useFieldProblem(form, error, fieldOfItem);
  return (
    <form noValidate onSubmit={form.onSubmit(onSubmit, (errors) => focusOn(form, Object.keys(errors)[0]))}>
      <Stack gap="md" py="sm">
        {wasKept && <DraftNote onStartOver={startOver} />}
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
