import { Button, Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { CalendarClock, EyeOff, Landmark, MessageSquarePlus, Scale, Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ChecklistItem } from 'simcha-client';
import { daysUntilDay, longDay } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { readStored } from '../../../lib/stored-value.ts';
import { words } from '../words.ts';
import { ItemNote, noteDraftKey } from './item-note.tsx';

const STATES = ['open', 'in_progress', 'done'] as const;

interface ItemCardProps {
  eventId: string;
  item: ChecklistItem;
  mayEdit: boolean;
  onState(state: ChecklistItem['state']): void;
  onDismiss(dismissed: boolean): void;
}

/** Card of a checklist item: what is needed, from which authority, by when and why, and its state. */
export function ItemCard({ eventId, item, mayEdit, onState, onDismiss }: ItemCardProps) {
  const say = useWords(words);
  const [isWriting, setWriting] = useState(() => readStored(noteDraftKey(eventId, item.item)) !== undefined);
  const { title, why, granted_by_name: who, source, state, dismissed, note } = item;
  return (
    <Paper
      component="article"
      aria-label={title}
      bg="var(--simcha-card)"
      withBorder
      radius="lg"
      p="md"
      style={item.overdue ? { borderInlineStart: '4px solid var(--mantine-color-error)' } : undefined}
    >
      <Stack gap="sm">
        <div>
          <Title order={4} size="h4">
            {title}
          </Title>
          <Text mt={4}>{why}</Text>
        </div>
        <Stack gap={4}>
          <Due item={item} />
          <Line icon={<Landmark size={18} aria-hidden />}>{say('from', { who })}</Line>
          {source && <Line icon={<Scale size={18} aria-hidden />}>{say('source', { law: source })}</Line>}
        </Stack>
        {note && !isWriting && (
          <Text dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
            {note}
          </Text>
        )}
        {isWriting && <ItemNote eventId={eventId} item={item} onDone={() => setWriting(false)} />}
        {mayEdit && !dismissed && (
          <SegmentedControl
            fullWidth
            aria-label={say('state', { what: title })}
            value={state}
            onChange={(value) => onState(value as ChecklistItem['state'])}
            data={STATES.map((value) => ({ value, label: say(`state_${value}`) }))}
          />
        )}
        <Text fw={500} className={mayEdit ? 'on-paper' : undefined}>
          {say(`state_${state}`)}
        </Text>
        {mayEdit && !isWriting && (
          <Group gap="xs">
            {!dismissed && (
              <Button
                variant="subtle"
                px={6}
                leftSection={<MessageSquarePlus size={18} aria-hidden />}
                aria-label={say(note ? 'changeNoteTo' : 'addNoteTo', { what: title })}
                onClick={() => setWriting(true)}
              >
                {say(note ? 'changeNote' : 'addNote')}
              </Button>
            )}
            <Button
              variant="subtle"
              color="gray"
              c="dimmed"
              px={6}
              leftSection={
                dismissed ? (
                  <Undo2 size={18} className="turns" aria-hidden />
                ) : (
                  <EyeOff size={18} aria-hidden />
                )
              }
              aria-label={say(dismissed ? 'restoreNamed' : 'dismissNamed', { what: title })}
              onClick={() => onDismiss(!dismissed)}
            >
              {say(dismissed ? 'restore' : 'dismiss')}
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

function Due({
  item: { due_date: day, due_earlier_for: why, overdue, state, dismissed },
}: {
  item: ChecklistItem;
}) {
  const say = useWords(words);
  const { language } = useLanguage();
  if (!day) return <Line icon={<CalendarClock size={18} aria-hidden />}>{say('noDate')}</Line>;
  const days = daysUntilDay(day);
  const isSettled = state === 'done' || dismissed;
  return (
    <Line
      icon={<CalendarClock size={18} aria-hidden />}
      color={overdue ? 'var(--mantine-color-error)' : undefined}
    >
      {say('by', { date: longDay(day, language) })}
      {!isSettled && ` · ${days < 0 ? say('daysAgo', { n: -days }) : say('inDays', { n: days })}`}
      {why && ` (${say('earlier', { why })})`}
    </Line>
  );
}

function Line({
  icon,
  color = 'dimmed',
  children,
}: {
  icon: ReactNode;
  color?: string;
  children: ReactNode;
}) {
  return (
    <Group gap={10} wrap="nowrap" align="flex-start" c={color}>
      <span style={{ flex: 'none', marginTop: 2, lineHeight: 0 }}>{icon}</span>
      <Text size="sm">{children}</Text>
    </Group>
  );
}
