import { ActionIcon, Button, Group, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CalendarClock, Pencil, Plus, Trash2 } from 'lucide-react';
import type { AgendaItem, CountedEvent } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { useNotify, useNotifyProblem } from '../../../components/notify.ts';
import { useNotifyWithUndo } from '../../../components/notify-with-undo.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { dayOf, longDay, shortDay, timeOfDay } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { agendaQuery, useAddAgendaItem, useRemoveAgendaItem } from '../api/agenda.ts';
import { words } from '../words.ts';
import { ChangeItem, NewItem } from './agenda-item.tsx';
import { itemAgain, nextItem } from './agenda-values.ts';
import classes from './invitation.module.css';

interface AgendaPartProps {
  event: CountedEvent;
  /** Identifier of the agenda item that is being edited, or `new`. */
  open: string | undefined;
  onOpen(item: string | undefined): void;
  mayEdit: boolean;
}

/** Agenda of the event, as guests see it. Items are edited in the list itself. */
export function AgendaPart({ event, open, onOpen, mayEdit }: AgendaPartProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data: items, error, refetch } = useQuery(agendaQuery(event.id));
  if (error && !items) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (!items) return <Skeleton height={320} radius="lg" />;
  const isNew = open === 'new' && mayEdit;
  if (items.length === 0 && !isNew) {
    return (
      <EmptyState icon={CalendarClock} order={2} title={say('agendaEmptyTitle')} about={say('agendaEmpty')}>
        {mayEdit && (
          <Button size="lg" onClick={() => onOpen('new')}>
            {say('addItem')}
          </Button>
        )}
      </EmptyState>
    );
  }
  const days = [...new Set(items.map(({ starts_at: at }) => dayOf(at)))];
  const isOneDay = days.length === 1 && event.event_date !== null && days[0] === dayOf(event.event_date);
  const close = () => onOpen(undefined);
  return (
    <Card title={say('agenda')}>
      <Stack gap="lg">
        {days.map((day) => (
          <div key={day}>
            {!isOneDay && (
              <Title order={3} size="h5" mb={4}>
                {longDay(day, language)}
              </Title>
            )}
            <ul className={classes.items}>
              {items
                .filter(({ starts_at: at }) => dayOf(at) === day)
                .map((item) =>
                  item.id === open && mayEdit ? (
                    <li key={item.id}>
                      <ChangeItem eventId={event.id} itemId={item.id} onDone={close} />
                    </li>
                  ) : (
                    <Item
                      key={item.id}
                      eventId={event.id}
                      item={item}
                      onChange={mayEdit ? () => onOpen(item.id) : undefined}
                    />
                  ),
                )}
            </ul>
          </div>
        ))}
        {isNew ? (
          <NewItem eventId={event.id} initial={nextItem(items, event.event_date)} onDone={close} />
        ) : (
          mayEdit && (
            <Group>
              <Button
                variant="light"
                leftSection={<Plus size={20} aria-hidden />}
                onClick={() => onOpen('new')}
              >
                {say('addItem')}
              </Button>
            </Group>
          )
        )}
      </Stack>
    </Card>
  );
}

interface ItemProps {
  eventId: string;
  item: AgendaItem;
  onChange: (() => void) | undefined;
}

function Item({ eventId, item, onChange }: ItemProps) {
  const say = useWords(words);
  const notify = useNotify();
  const { language } = useLanguage();
  const notifyWithUndo = useNotifyWithUndo();
  const removal = useRemoveAgendaItem(eventId);
  const addition = useAddAgendaItem(eventId);
  const { title, starts_at: start, ends_at: end, speaker, place, description } = item;
  const fail = useNotifyProblem();
  const remove = () => {
    const key = crypto.randomUUID();
    // The agenda item's row is removed with the item. Callbacks of `mutate` are not called for a removed component, so
    // the promises are used.
    const bringBack = () =>
      addition.mutateAsync({ body: itemAgain(item), key }).then(() => notify(say('itemBack')));
    removal.mutateAsync(item).then(() => notifyWithUndo(say('itemGone', { title }), bringBack), fail);
  };
  return (
    <li className={classes.item}>
      <div className={classes.time}>
        <Text fw={600}>{timeOfDay(start, language)}</Text>
        {end && (
          <Text size="sm" c="dimmed">
            <VisuallyHidden>{say('end_time')} </VisuallyHidden>
            {timeOfDay(end, language)}
          </Text>
        )}
      </div>
      <div>
        <Text fw={500}>
          <bdi>{title}</bdi>
        </Text>
        {(speaker || place) && (
          <Text size="sm" c="dimmed">
            {speaker && <bdi>{speaker}</bdi>}
            {speaker && place && ' · '}
            {place && <bdi>{place}</bdi>}
          </Text>
        )}
        {end && dayOf(end) > dayOf(start) && timeOfDay(end, 'en') > timeOfDay(start, 'en') && (
          <Text size="sm" c="dimmed">
            {say('untilDay', { day: shortDay(dayOf(end), language) })}
          </Text>
        )}
        {description && (
          <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
            {description}
          </Text>
        )}
      </div>
      {onChange && (
        <Group gap={0} wrap="nowrap">
          <ActionIcon
            color="gray"
            c="var(--mantine-color-text)"
            aria-label={say('changeItem', { title })}
            onClick={onChange}
          >
            <Pencil size={18} aria-hidden />
          </ActionIcon>
          <ActionIcon
            color="red"
            aria-label={say('removeItem', { title })}
            loading={removal.isPending}
            onClick={remove}
          >
            <Trash2 size={18} aria-hidden />
          </ActionIcon>
        </Group>
      )}
    </li>
  );
}
