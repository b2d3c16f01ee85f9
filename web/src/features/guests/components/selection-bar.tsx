import {
  ActionIcon,
  Button,
  Group,
  Menu,
  Modal,
  Popover,
  Progress,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Tag, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import type { BulkResult } from 'simcha-client';
import { useNotify, useNotifyProblem } from '../../../components/notify.ts';
import { useNotifyWithAction } from '../../../components/notify-with-action.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { SETTABLE_ANSWERS, type SettableAnswer, statusOf } from '../api/answer.ts';
import { type BulkOrder, runBulk, useBulk } from '../api/bulk.ts';
import { tagsQuery } from '../api/guests.ts';
import { words } from '../words.ts';
import { AnswerBadge } from './answer-badge.tsx';
import classes from './list.module.css';

interface SelectionBarProps {
  eventId: string;
  chosen: ReadonlySet<string>;
  /** Number of guests found; undefined if all of them are selected. */
  foundBesides: number | undefined;
  isReadingAll: boolean;
  onChooseAll(): void;
  onClear(): void;
  onShowWaiting(): void;
}

/** Bar with bulk operations for the selected guests. */
export function SelectionBar(props: SelectionBarProps) {
  const { eventId, chosen, foundBesides, isReadingAll, onChooseAll, onClear, onShowWaiting } = props;
  const say = useWords(words);
  const notify = useNotify();
  const notifyProblem = useNotifyProblem();
  const offer = useNotifyWithAction();
  const many = useBulk(eventId);
  const [done, setDone] = useState(0);
  const [noting, setNoting] = useState<SettableAnswer>();
  const ids = [...chosen];

  const askFor = (work: BulkOrder['work'], of: string[]) => {
    setDone(0);
    return many.mutateAsync({ ids: of, work, onProgress: setDone });
  };
  const doAll = async (work: BulkOrder['work'], of = ids): Promise<BulkResult | undefined> => {
    try {
      return await askFor(work, of);
    } catch (error) {
      notifyProblem(error);
      return undefined;
    }
  };
  const restore = async () => {
    const { changed } = await askFor({ kind: 'restore' }, ids);
    notify(say('restored', { n: changed }));
  };
  const remove = async () => {
    const removed = await doAll({ kind: 'delete' });
    if (!removed) return;
    onClear();
    const sentence = say('removed', { n: removed.changed });
    offer({ message: sentence, action: say('undo'), act: restore });
  };
  const change = async (body: Extract<BulkOrder['work'], { kind: 'change' }>['body']) => {
    const result = await doAll({ kind: 'change', body });
    if (!result) return;
    const waiting = result.warnings.filter(({ code }) => code === 'waits').length;
    const sentence = say('changedMany', { n: result.changed });
    if (waiting === 0) notify(sentence);
    else {
      const both = `${sentence} ${say('waitMany', { n: waiting })}`;
      offer({ message: both, action: say('showWaiting'), act: onShowWaiting });
    }
  };
  const isLong = many.isPending && ids.length > 1_000;
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
        <TagMany eventId={eventId} isPending={many.isPending} onChange={change} />
        <Menu position="top">
          <Menu.Target>
            <Button
              variant="default"
              disabled={many.isPending}
              leftSection={<CircleCheck size={18} aria-hidden />}
            >
              {say('answer')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {SETTABLE_ANSWERS.map((answer) => (
              <Menu.Item key={answer} onClick={() => setNoting(answer)}>
                <AnswerBadge answer={answer} />
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Button
          variant="default"
          disabled={many.isPending}
          leftSection={<Trash2 size={18} aria-hidden />}
          onClick={remove}
        >
          {say('remove')}
        </Button>
      </div>
      {isLong && <Progress value={(100 * done) / ids.length} w="100%" aria-hidden />}
      <Modal
        opened={noting !== undefined}
        onClose={() => setNoting(undefined)}
        attributes={{ header: { role: 'none' } }}
        title={noting && say('answerMany', { answer: say(noting) })}
        closeButtonProps={{ 'aria-label': say('close'), size: 44 }}
      >
        {noting && (
          <NoteForAll
            eventId={eventId}
            ids={ids}
            answer={noting}
            onCancel={() => setNoting(undefined)}
            onNote={() => {
              setNoting(undefined);
              change({ rsvp_status: statusOf(noting) }).catch(() => {});
            }}
          />
        )}
      </Modal>
    </section>
  );
}

interface NoteForAllProps {
  eventId: string;
  ids: readonly string[];
  answer: SettableAnswer;
  onCancel(): void;
  onNote(): void;
}

/** Confirmation of a reply for many guests, with its consequences: there is no undo. */
function NoteForAll({ eventId, ids, answer, onCancel, onNote }: NoteForAllProps) {
  const say = useWords(words);
  const trial = useQuery({
    queryKey: ['guests', eventId, 'trial', answer, ids],
    gcTime: 0,
    queryFn: () =>
      runBulk(eventId, {
        ids,
        work: { kind: 'change', body: { rsvp_status: statusOf(answer) } },
        isTrial: true,
      }),
  });
  const waiting = trial.data?.warnings.filter(({ code }) => code === 'waits').length ?? 0;
  return (
    <Stack>
      <Text role="status" mih={28}>
        {trial.data && say('wouldChange', { n: trial.data.changed })}{' '}
        {waiting > 0 && say('wouldWait', { n: waiting })}
      </Text>
      <ProblemNote error={trial.error} />
      <Group>
        <Button variant="default" onClick={onCancel}>
          {say('keepAsIs')}
        </Button>
        <Button onClick={onNote} loading={trial.isPending} disabled={!trial.data?.changed}>
          {say('doIt')}
        </Button>
      </Group>
    </Stack>
  );
}

interface TagManyProps {
  eventId: string;
  isPending: boolean;
  onChange(body: { add_tags: string[] } | { remove_tags: string[] }): Promise<void>;
}

const MOST_SUGGESTED = 6;

function TagMany({ eventId, isPending, onChange }: TagManyProps) {
  const say = useWords(words);
  const [isOpen, setOpen] = useState(false);
  const [tag, setTag] = useState('');
  const { data: tags = [] } = useQuery(tagsQuery(eventId));
  const named = tag.trim();
  const known = tags
    .map((one) => one.tag)
    .filter((one) => one !== named && one.toLocaleLowerCase().includes(named.toLocaleLowerCase()))
    .slice(0, MOST_SUGGESTED);
  const change = (body: Parameters<TagManyProps['onChange']>[0]) => {
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
