import { Box, Button, SimpleGrid, Skeleton, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SavedAgendaItem } from 'simcha-client';
import { DayInput } from '../../../components/day-input.tsx';
import { DraftForm, type FormState } from '../../../components/draft-form.tsx';
import { EditForm } from '../../../components/edit-form.tsx';
import { useFormDraft } from '../../../components/form-draft.ts';
import { useNotifySentence } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
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
  if (error && !read) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (!read) return <Skeleton height={360} />;
  return <ReadItemForm eventId={eventId} read={read} onDone={onDone} />;
}

function ReadItemForm({ eventId, read, onDone }: Omit<ChangeItemProps, 'itemId'> & { read: ReadAgendaItem }) {
  const say = useWords(words);
  const notifyOf = useNotifyOf();
  const { id } = read.item;
  const draftKey = `item-${id}`;
  const store = useChangeAgendaItem(eventId, id);
  return (
    <EditForm
      read={read}
      query={agendaItemQuery(eventId, id)}
      draftKey={draftKey}
      valuesOf={({ item }) => itemValuesOf(item)}
      changesOf={itemChangesOf}
      send={async (body, of) => {
        const saved = await store.mutateAsync({ body, etag: of.etag });
        notifyOf(saved.warnings);
        return saved;
      }}
      label={(name) => say(name)}
      show={(_name, value) => value ?? ''}
      onStored={onDone}
    >
      {(form) => (
        <ItemForm
          {...form}
          submit={say('save')}
          onLeave={() => {
            writeStored(draftKey, undefined);
            onDone();
          }}
        />
      )}
    </EditForm>
  );
}

function itemChangesOf(values: ItemValues, before: ItemValues) {
  const same = itemBodyOf(before);
  const changed = Object.entries(itemBodyOf(values)).filter(
    ([name, value]) => value !== same[name as keyof typeof same],
  );
  return Object.fromEntries(changed);
}

/** Returns a function that notifies of a saved agenda item, with the server's warnings. */
function useNotifyOf(): (warnings: SavedAgendaItem['warnings']) => void {
  const say = useWords(words);
  const notify = useNotifySentence();
  return (warnings) => notify([say('saved'), ...warnings.map(({ message }) => message)].join(' '));
}

interface ItemFormProps extends FormState<ItemValues> {
  submit: string;
  onLeave(): void;
}

function ItemForm({ draftKey, initial, onLeave, ...state }: ItemFormProps) {
  const say = useWords(words);
  const draft = useFormDraft<ItemValues>(draftKey, initial, (values) => ({
    ...(!values.item_title.trim() && { item_title: say('missing') }),
    ...(!values.date && { date: say('missing') }),
    ...(!values.time && { time: say('missing') }),
  }));
  const { form } = draft;
  return (
    <Box py="sm">
      <DraftForm
        {...state}
        draft={draft}
        fieldOf={fieldOfItem}
        actions={
          <Button variant="default" onClick={onLeave}>
            {say('leave')}
          </Button>
        }
      >
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
      </DraftForm>
    </Box>
  );
}
