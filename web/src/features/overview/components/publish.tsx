import { Button, Group, List, Stack } from '@mantine/core';
import { useState } from 'react';
import type { CountedEvent } from 'simcha-client';
import { GuestPagePreview } from '../../../components/guest-page-preview.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useChangeEvent } from '../../events/api/events.ts';
import { words } from '../words.ts';

/**
 * Button that publishes an event. Publishing can't be undone, so the user first sees its consequences and a preview of
 * the guests' page.
 */
export function Publish({ event: { id, language_pref } }: { event: CountedEvent }) {
  const say = useWords(words);
  const notify = useNotify();
  const change = useChangeEvent(id);
  const [isAsked, setAsked] = useState(false);
  const [language, setLanguage] = useState(language_pref);
  const publish = () =>
    change.mutate({ body: { status: 'published' } }, { onSuccess: () => notify(say('publishedNow')) });
  return (
    <>
      <Button onClick={() => setAsked(true)} aria-haspopup="dialog">
        {say('publish')}
      </Button>
      <SideSheet title={say('publishTitle')} opened={isAsked} onClose={() => setAsked(false)}>
        <Stack gap="lg">
          <List spacing="xs">
            <List.Item>{say('publishSeen')}</List.Item>
            <List.Item>{say('publishSent')}</List.Item>
            <List.Item>{say('publishFinal')}</List.Item>
          </List>
          <ProblemNote error={change.error} />
          <Group gap="sm">
            <Button variant="default" onClick={() => setAsked(false)}>
              {say('notYet')}
            </Button>
            <Button onClick={publish} loading={change.isPending}>
              {say('publish')}
            </Button>
          </Group>
          <GuestPagePreview eventId={id} language={language} onLanguage={setLanguage} version="" />
        </Stack>
      </SideSheet>
    </>
  );
}
