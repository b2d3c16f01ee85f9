import { Button, Collapse, Group, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, ClipboardCheck, ClipboardList, Info } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ChecklistItem, Checklist as Read } from 'simcha-client';
import { EmptyState } from '../../../components/empty-state.tsx';
import { useNotifyWithUndo } from '../../../components/notify-with-undo.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useMayEdit } from '../../events/api/access.ts';
import { checklistQuery, useChangeChecklistItem, useDismissChecklist } from '../api/checklist.ts';
import { Facts } from '../components/facts.tsx';
import { ItemCard } from '../components/item-card.tsx';
import { words } from '../words.ts';
import classes from './checklist.module.css';

const route = getRouteApi('/inside/events/$eventId/checklist');

/** Checklist page: the official approvals that an event needs, and their states. */
export function Checklist() {
  const say = useWords(words);
  const notifyWithUndo = useNotifyWithUndo();
  const { eventId } = route.useParams();
  const { data: checklist, error, refetch } = useQuery(checklistQuery(eventId));
  const mayEdit = useMayEdit(eventId);
  const dismiss = useDismissChecklist(eventId);
  const put = (away: boolean) =>
    dismiss.mutate(away, {
      onSuccess: () => {
        if (away) notifyWithUndo(say('dismissedAll'), () => dismiss.mutateAsync(false));
      },
    });
  if (error && !checklist) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (!checklist) return <Coming />;
  const { dismissed, items, facts, advice } = checklist;
  return (
    <Stack gap="lg">
      <PageHead order={2} title={say('title')} />
      <ProblemNote error={dismiss.error} />
      {dismissed ? (
        <Away>
          {mayEdit && (
            <Button size="lg" loading={dismiss.isPending} onClick={() => put(false)}>
              {say('restoreAll')}
            </Button>
          )}
        </Away>
      ) : (
        <Stack gap="lg" className={classes.page}>
          <div className={`${classes.facts} on-screen`}>
            <Facts id={eventId} facts={facts} mayEdit={mayEdit} />
          </div>
          <Stack gap="lg" className={classes.items}>
            {items.length === 0 ? <Nothing /> : <Items eventId={eventId} items={items} mayEdit={mayEdit} />}
            <Group gap={10} wrap="nowrap" align="flex-start" c="dimmed">
              <Info size={18} aria-hidden style={{ flex: 'none', marginTop: 3 }} />
              <Text>{advice}</Text>
            </Group>
            {mayEdit && items.length > 0 && (
              <Group>
                <Button
                  variant="subtle"
                  color="gray"
                  c="dimmed"
                  px={6}
                  loading={dismiss.isPending}
                  onClick={() => put(true)}
                >
                  {say('dismissAll')}
                </Button>
              </Group>
            )}
          </Stack>
        </Stack>
      )}
    </Stack>
  );
}

type Items = Read['items'];

/**
 * Items of the checklist: overdue ones first, then the other open ones, each in the server's order; done and dismissed
 * items can be unfolded.
 */
function Items({ eventId, items, mayEdit }: { eventId: string; items: Items; mayEdit: boolean }) {
  const say = useWords(words);
  const notifyWithUndo = useNotifyWithUndo();
  const change = useChangeChecklistItem(eventId);
  const counted = items.filter(({ dismissed }) => !dismissed);
  const done = counted.filter(({ state }) => state === 'done');
  const open = counted.filter(({ state }) => state !== 'done');
  const dismiss = ({ item, title: what }: ChecklistItem, dismissed: boolean) =>
    change.mutate(
      { item, body: { dismissed } },
      {
        onSuccess() {
          if (dismissed)
            notifyWithUndo(say('dismissedNow', { what }), () =>
              change.mutateAsync({ item, body: { dismissed: false } }),
            );
        },
      },
    );
  const put = ({ item, title: what, state: before }: ChecklistItem, state: ChecklistItem['state']) =>
    change.mutate(
      { item, body: { state } },
      {
        onSuccess() {
          // An item marked as done moves to the done items, so a notification offers to undo that.
          if (state === 'done')
            notifyWithUndo(say('doneNow', { what }), () =>
              change.mutateAsync({ item, body: { state: before } }),
            );
        },
      },
    );
  const card = (item: ChecklistItem) => (
    <ItemCard
      key={item.item}
      eventId={eventId}
      item={item}
      mayEdit={mayEdit}
      onState={(state) => put(item, state)}
      onDismiss={(dismissed) => dismiss(item, dismissed)}
    />
  );
  const [late, due, away] = [
    open.filter(({ overdue }) => overdue),
    open.filter(({ overdue }) => !overdue),
    items.filter(({ dismissed }) => dismissed),
  ];
  return (
    <>
      <div>
        <Text fw={500} mb={6} aria-live="polite">
          {say('progress', { done: done.length, all: counted.length })}
        </Text>
        <Progress
          value={counted.length ? (100 * done.length) / counted.length : 0}
          color="var(--simcha-yes)"
          size={10}
          aria-hidden
        />
      </div>
      <ProblemNote error={change.error} />
      {late.length > 0 && (
        <Part title={say('overdue')} color="var(--mantine-color-error)">
          {late.map(card)}
        </Part>
      )}
      {due.length > 0 && <Part title={say('due')}>{due.map(card)}</Part>}
      {done.length > 0 && <Folded title={say('done')}>{done.map(card)}</Folded>}
      {away.length > 0 && <Folded title={say('dismissed')}>{away.map(card)}</Folded>}
    </>
  );
}

function Part({ title, color, children }: { title: string; color?: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={3} size="h4" mb="sm" c={color}>
        {title}
      </Title>
      <Stack gap="md">{children}</Stack>
    </section>
  );
}

function Folded({ title, children }: { title: string; children: ReactNode[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section aria-label={title}>
      <Title order={3} size="h4">
        <Button
          variant="subtle"
          color="gray"
          c="dimmed"
          px={6}
          aria-expanded={isOpen}
          rightSection={isOpen ? <ChevronUp size={18} aria-hidden /> : <ChevronDown size={18} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          {title} ({children.length})
        </Button>
      </Title>
      <Collapse expanded={isOpen}>
        <Stack gap="md" pt="sm">
          {children}
        </Stack>
      </Collapse>
    </section>
  );
}

function Away({ children }: { children: ReactNode }) {
  const say = useWords(words);
  return (
    <EmptyState icon={ClipboardList} title={say('awayTitle')} about={say('away')}>
      {children}
    </EmptyState>
  );
}

function Nothing() {
  const say = useWords(words);
  return <EmptyState icon={ClipboardCheck} title={say('nothingTitle')} about={say('nothing')} />;
}

function Coming() {
  return (
    <Stack gap="lg" aria-busy="true">
      <Skeleton height={30} width="50%" />
      <Stack gap="lg" className={classes.page}>
        <Skeleton height={320} radius="lg" className={classes.facts} />
        <Stack className={classes.items}>
          {['first', 'second', 'third'].map((card) => (
            <Skeleton key={card} height={260} radius="lg" />
          ))}
        </Stack>
      </Stack>
    </Stack>
  );
}
