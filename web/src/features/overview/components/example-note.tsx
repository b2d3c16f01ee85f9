import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Sparkles } from 'lucide-react';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { exampleQuery, useRemoveExample } from '../../events/api/example.ts';
import { words } from '../words.ts';
import classes from './example-note.module.css';

/** Note above the pages of the example event, with a button that removes the event. */
export function ExampleNote({ eventId }: { eventId: string }) {
  const say = useWords(words);
  const notify = useNotify();
  const navigate = useNavigate();
  const { data: example } = useQuery(exampleQuery);
  const remove = useRemoveExample();
  if (example !== eventId) return null;
  const submit = () =>
    remove.mutate(undefined, {
      onSuccess() {
        notify(say('exampleRemoved'));
        navigate({ to: '/events', replace: true }).catch(() => {});
      },
    });
  return (
    <>
      <Group className={classes.note} justify="space-between" gap="sm">
        <Group gap="sm" wrap="nowrap" className={classes.said}>
          <Sparkles size={20} aria-hidden className={classes.icon} />
          <Text>{say('exampleAbout')}</Text>
        </Group>
        <Button variant="default" loading={remove.isPending} onClick={submit}>
          {say('removeExample')}
        </Button>
      </Group>
      <ProblemNote error={remove.error} />
    </>
  );
}
