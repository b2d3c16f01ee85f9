import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { longDay, shortDate } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { afterMoveQuery, type EventMove, type UninformedGuests, useMoveDeadline } from '../api/move.ts';
import { type MovedDeadline, movedDeadline } from '../api/moved-deadline.ts';
import { words } from '../words.ts';

interface AfterMoveProps {
  move: EventMove;
  onClose(): void;
}

/** Dialog after a change of date or place: to tell the guests, and to move the deadline for answers. */
export function AfterMove({ move, onClose }: AfterMoveProps) {
  const say = useWords(words);
  const { data } = useQuery(afterMoveQuery(move));
  if (!data) return null;
  const { uninformed, answerUntil, etag } = data;
  const dates = { from: move.from.event_date, to: move.to.event_date };
  const deadline = movedDeadline(answerUntil, dates);
  if (!uninformed && !deadline) return null;
  return (
    <Modal
      opened
      onClose={onClose}
      attributes={{ header: { role: 'none' } }}
      title={say('afterMove')}
      closeButtonProps={{ 'aria-label': say('closeDialog'), size: 44 }}
    >
      <Choices
        id={move.to.id}
        uninformed={uninformed}
        deadline={deadline && answerUntil !== null ? { ...deadline, former: answerUntil, etag } : undefined}
        onClose={onClose}
      />
    </Modal>
  );
}

interface ChoicesProps {
  id: string;
  uninformed: UninformedGuests | undefined;
  deadline: (MovedDeadline & { former: string; etag: string }) | undefined;
  onClose(): void;
}

function Choices({ id, uninformed, deadline, onClose }: ChoicesProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const navigate = useNavigate();
  const [movesDeadline, setMovesDeadline] = useState(deadline?.isAdvised === true);
  const store = useMoveDeadline(id);
  const finish = async (writes: boolean) => {
    if (deadline && movesDeadline) await store.mutateAsync(deadline);
    onClose();
    if (writes)
      await navigate({
        to: '/events/$eventId/messages/new',
        params: { eventId: id },
        search: { kind: 'change', channel: uninformed?.channel },
      });
  };
  const submit = (writes: boolean) => finish(writes).catch(() => {});
  return (
    <Stack>
      {deadline && (
        <Checkbox
          size="md"
          checked={movesDeadline}
          label={say('moveDeadline')}
          description={say('moveDeadlineTo', {
            to: longDay(deadline.until.slice(0, 10), language),
            from: shortDate(deadline.former, language),
          })}
          onChange={({ currentTarget: { checked } }) => setMovesDeadline(checked)}
        />
      )}
      {uninformed && <Text>{say('knowFormer', { n: uninformed.guests })}</Text>}
      <ProblemNote error={store.error} />
      {uninformed ? (
        <Group>
          <Button loading={store.isPending} onClick={() => submit(true)}>
            {say('tellThem')}
          </Button>
          <Button variant="default" disabled={store.isPending} onClick={() => submit(false)}>
            {say('tellLater')}
          </Button>
        </Group>
      ) : (
        <Group>
          <Button loading={store.isPending} onClick={() => submit(false)}>
            {say('afterMoveDone')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
