import { Button, Group, Skeleton, Stack, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { ChecklistItem } from 'simcha-client';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { problemOf } from '../../../lib/problems.ts';
import { useStored, writeStored } from '../../../lib/stored-value.ts';
import { checklistItemQuery, useChangeChecklistItem } from '../api/checklist.ts';
import { words } from '../words.ts';

/** Storage key under which the draft of a checklist item's note survives a reload. */
export const noteDraftKey = (eventId: string, item: ChecklistItem['item']) => `checklist-${eventId}-${item}`;

interface ItemNoteProps {
  eventId: string;
  item: ChecklistItem;
  onDone(): void;
}

/**
 * Form for the note of a checklist item. If the item changed meanwhile, the server refuses instead of overwriting it.
 */
export function ItemNote({ eventId, item: { item, title }, onDone }: ItemNoteProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const queries = useQueryClient();
  const query = checklistItemQuery(eventId, item);
  const { data: read, error } = useQuery({ ...query, staleTime: Number.POSITIVE_INFINITY });
  const draftKey = noteDraftKey(eventId, item);
  const [typed, setTyped] = useStored<string | undefined>(draftKey, undefined);
  const change = useChangeChecklistItem(eventId);
  const problem = change.error ? problemOf(change.error, language) : undefined;
  const done = () => {
    writeStored(draftKey, undefined);
    queries.removeQueries({ queryKey: query.queryKey });
    onDone();
  };
  if (error) return <ProblemNote error={error} />;
  if (!read) return <Skeleton height={140} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const note = (typed ?? read.item.note ?? '').trim() || null;
    change.mutate({ item, body: { note }, etag: read.etag }, { onSuccess: done });
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="sm">
        <Textarea
          label={say('note')}
          aria-label={say('noteOf', { what: title })}
          dir="auto"
          autoFocus
          value={typed ?? read.item.note ?? ''}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
          error={problem?.field === 'note' && problem.complaint}
        />
        {problem?.field !== 'note' && <ProblemNote error={change.error} />}
        <Group gap="sm">
          <Button type="submit" loading={change.isPending}>
            {say('save')}
          </Button>
          <Button variant="default" onClick={done}>
            {say('back')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
