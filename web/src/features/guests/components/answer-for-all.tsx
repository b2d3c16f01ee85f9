import { Button, Group, Menu, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { SETTABLE_ANSWERS, type SettableAnswer, statusOf } from '../api/answer.ts';
import { type BulkChange, runBulk } from '../api/bulk.ts';
import { words } from '../words.ts';
import { AnswerBadge } from './answer-badge.tsx';

interface AnswerForAllProps {
  eventId: string;
  ids: readonly string[];
  isPending: boolean;
  onChange(body: BulkChange): Promise<void>;
}

/** Menu that sets the reply of all selected guests, after a confirmation. */
export function AnswerForAll({ eventId, ids, isPending, onChange }: AnswerForAllProps) {
  const say = useWords(words);
  const [chosen, setChosen] = useState<SettableAnswer>();
  const close = () => setChosen(undefined);
  return (
    <>
      <Menu position="top">
        <Menu.Target>
          <Button variant="default" disabled={isPending} leftSection={<CircleCheck size={18} aria-hidden />}>
            {say('answer')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {SETTABLE_ANSWERS.map((answer) => (
            <Menu.Item key={answer} onClick={() => setChosen(answer)}>
              <AnswerBadge answer={answer} />
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={chosen !== undefined}
        onClose={close}
        attributes={{ header: { role: 'none' } }}
        title={chosen && say('answerMany', { answer: say(chosen) })}
        closeButtonProps={{ 'aria-label': say('close'), size: 44 }}
      >
        {chosen && (
          <ConfirmAnswer
            eventId={eventId}
            ids={ids}
            answer={chosen}
            onCancel={close}
            onConfirm={() => {
              close();
              onChange({ rsvp_status: statusOf(chosen) }).catch(() => {});
            }}
          />
        )}
      </Modal>
    </>
  );
}

interface ConfirmAnswerProps {
  eventId: string;
  ids: readonly string[];
  answer: SettableAnswer;
  onCancel(): void;
  onConfirm(): void;
}

/** Dialog that confirms a reply for many guests and lists its consequences, since it can't be undone. */
function ConfirmAnswer({ eventId, ids, answer, onCancel, onConfirm }: ConfirmAnswerProps) {
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
        <Button onClick={onConfirm} loading={trial.isPending} disabled={!trial.data?.changed}>
          {say('doIt')}
        </Button>
      </Group>
    </Stack>
  );
}
