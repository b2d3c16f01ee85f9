import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { CircleCheck, FileDown, Undo2 } from 'lucide-react';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { useNotifyWithUndo } from '../../../components/notify-with-undo.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { saveFile } from '../../../lib/save-file.ts';
import { useBulk } from '../api/bulk.ts';
import { words } from '../import-words.ts';
import { words as guestWords } from '../words.ts';
import type { ImportResult } from './import-draft.ts';

interface ImportDoneProps {
  eventId: string;
  result: ImportResult;
  onTakenBack(isTakenBack: boolean): void;
  onCorrect(file: File): void;
  onAnother(): void;
}

/** Result of a finished import, with the rows that were not imported and a button that undoes the import. */
export function ImportDone({ eventId, result, onTakenBack, onCorrect, onAnother }: ImportDoneProps) {
  const say = useWords(words);
  const sayOfGuest = useWords(guestWords);
  const many = useBulk(eventId);
  const notifyWithUndo = useNotifyWithUndo();
  const { created, people, updated, unchanged, skipped, left, ids, toMend, isTakenBack } = result;
  const restore = () => many.mutateAsync({ ids, work: { kind: 'restore' } }).then(() => onTakenBack(false));
  const takeBack = () =>
    void many.mutateAsync({ ids, work: { kind: 'delete' } }).then(
      () => {
        onTakenBack(true);
        notifyWithUndo(sayOfGuest('removed', { n: ids.length }), restore);
      },
      () => {},
    );
  const leftFile = toMend && new File([toMend.content], toMend.name, { type: 'text/csv' });
  return (
    <Stack gap="lg">
      <Card>
        <Stack align="center" ta="center" py={24} gap="sm">
          <CircleCheck size={56} strokeWidth={1.4} color="var(--simcha-yes)" aria-hidden />
          <Title order={3} size="h3">
            {say(isTakenBack ? 'importUndone' : 'doneTitle')}
          </Title>
          <div role="status">
            {isTakenBack ? (
              <Text>{say('importUndoneAbout')}</Text>
            ) : (
              <Text>
                {say('created', { n: created })} {people > created && say('createdPeople', { n: people })}
              </Text>
            )}
            {updated > 0 && <Text>{say('updated', { n: updated })}</Text>}
            {unchanged > 0 && <Text c="dimmed">{say('unchanged', { n: unchanged })}</Text>}
            {skipped > 0 && <Text c="dimmed">{say('skipped', { n: skipped })}</Text>}
          </div>
          <Group justify="center">
            <ButtonLink size="lg" to="/events/$eventId/guests" params={{ eventId }}>
              {say('toGuests')}
            </ButtonLink>
            <ButtonLink
              size="lg"
              variant="default"
              to="/events/$eventId/guests"
              params={{ eventId }}
              search={{ invited: false }}
            >
              {say('toUninvited')}
            </ButtonLink>
          </Group>
        </Stack>
      </Card>
      {leftFile && left > 0 && (
        <Card title={say('leftTitle', { n: left })}>
          <Text mb="md">{say('leftAbout')}</Text>
          <Group>
            <Button onClick={() => onCorrect(leftFile)}>{say('correctNow')}</Button>
            <Button
              variant="default"
              leftSection={<FileDown size={18} aria-hidden />}
              onClick={() => saveFile(leftFile)}
            >
              {say('downloadLeft')}
            </Button>
          </Group>
        </Card>
      )}
      <ProblemNote error={many.error} />
      <Group justify="space-between" gap="sm">
        <Button variant="default" onClick={onAnother}>
          {say('another')}
        </Button>
        {ids.length > 0 && !isTakenBack && (
          <Stack gap={4} align="flex-start">
            <Button
              variant="subtle"
              leftSection={<Undo2 size={18} aria-hidden className="turns" />}
              loading={many.isPending}
              onClick={takeBack}
            >
              {say('undoImport', { n: ids.length })}
            </Button>
            {updated > 0 && (
              <Text size="sm" c="dimmed">
                {say('updatesStay')}
              </Text>
            )}
          </Stack>
        )}
      </Group>
    </Stack>
  );
}
