import { ActionIcon, Button, Group, Popover, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Tag, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { useWords } from '../../../lib/language-context.tsx';
import { matchesSearch } from '../../../lib/text-search.ts';
import type { BulkChange } from '../api/bulk.ts';
import { tagsQuery } from '../api/guests.ts';
import { words } from '../words.ts';
import { AnswerForAll } from './answer-for-all.tsx';
import { useBulkOperations } from './bulk-operations.ts';
import classes from './list.module.css';
import { PlusOnesForAll } from './plus-ones-for-all.tsx';

interface SelectionBarProps {
  eventId: string;
  chosen: ReadonlySet<string>;
  /** Number of guests that match the filter; undefined if all of them are selected. */
  foundBesides: number | undefined;
  isReadingAll: boolean;
  onChooseAll(): void;
  onClear(): void;
  onShowWaiting(): void;
}

/** Bar with bulk operations on the selected guests. */
export function SelectionBar(props: SelectionBarProps) {
  const { eventId, chosen, foundBesides, isReadingAll, onChooseAll, onClear, onShowWaiting } = props;
  const say = useWords(words);
  const ids = [...chosen];
  const { isPending, done, change, remove } = useBulkOperations(eventId, ids, { onClear, onShowWaiting });
  const isLong = isPending && ids.length > 1_000;
  return (
    <section className={classes.chosenBar} aria-label={say('bulk')}>
      <div className={classes.chosenHead}>
        <ActionIcon aria-label={say('clearChosen')} onClick={onClear}>
          <X size={20} aria-hidden />
        </ActionIcon>
        <Text fw={600} role="status">
          {isLong ? say('working', { done, all: ids.length }) : say('chosen', { n: chosen.size })}
        </Text>
        {foundBesides !== undefined && (
          <Button variant="subtle" size="sm" h={44} px={8} loading={isReadingAll} onClick={onChooseAll}>
            {say('chooseAllFound', { n: foundBesides })}
          </Button>
        )}
      </div>
      <div className={classes.chosenActions}>
        <TagMany eventId={eventId} isPending={isPending} onChange={change} />
        <PlusOnesForAll eventId={eventId} isPending={isPending} onChange={change} />
        <AnswerForAll eventId={eventId} ids={ids} isPending={isPending} onChange={change} />
        <Button
          variant="default"
          disabled={isPending}
          leftSection={<Trash2 size={18} aria-hidden />}
          onClick={remove}
        >
          {say('remove')}
        </Button>
      </div>
      {isLong && <Progress value={(100 * done) / ids.length} w="100%" aria-hidden />}
    </section>
  );
}

interface TagManyProps {
  eventId: string;
  isPending: boolean;
  onChange(body: BulkChange): Promise<void>;
}

const MOST_SUGGESTED = 6;

/** Menu that adds a tag to all selected guests or removes it from them. */
function TagMany({ eventId, isPending, onChange }: TagManyProps) {
  const say = useWords(words);
  const [isOpen, setOpen] = useState(false);
  const [tag, setTag] = useState('');
  const { data: tags = [] } = useQuery(tagsQuery(eventId));
  const named = tag.trim();
  const known = tags
    .map((one) => one.tag)
    .filter((one) => one !== named && matchesSearch(named, [one]))
    .slice(0, MOST_SUGGESTED);
  const change = (body: BulkChange) => {
    setOpen(false);
    setTag('');
    onChange(body).catch(() => {});
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus position="top" shadow="md" width={320}>
      <Popover.Target>
        <Button
          variant="default"
          disabled={isPending}
          leftSection={<Tag size={18} aria-hidden />}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {say('tag')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={say('tagWhich')}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (named) change({ add_tags: [named] });
          }}
        >
          <Stack gap="sm">
            <TextInput
              label={say('tagWhich')}
              dir="auto"
              maxLength={50}
              data-autofocus
              autoComplete="off"
              value={tag}
              onChange={({ currentTarget }) => setTag(currentTarget.value)}
            />
            <Group gap={6}>
              {known.map((one) => (
                <Button
                  key={one}
                  variant="default"
                  size="sm"
                  h={44}
                  radius="xl"
                  fw={400}
                  onClick={() => setTag(one)}
                >
                  <bdi>{one}</bdi>
                </Button>
              ))}
            </Group>
            <Group gap="sm">
              <Button type="submit" disabled={!named}>
                {say('tagAdd')}
              </Button>
              <Button variant="default" disabled={!named} onClick={() => change({ remove_tags: [named] })}>
                {say('tagRemove')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
