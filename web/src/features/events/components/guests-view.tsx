import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { CountedEvent } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { CODES, LANGUAGES } from '../../../lib/languages.ts';
import { words } from '../words.ts';
import classes from './guests-view.module.css';

/** The guests' page on a phone, as the server makes it: nothing can be sent from it. `version` is what was saved last. */
export function GuestsView({ event, version }: { event: CountedEvent; version: string }) {
  const say = useWords(words);
  const [language, setLanguage] = useState(event.language_pref);
  const src = `/api/events/${event.id}/invitation/page?language=${language}`;
  return (
    <Card title={say('guestsView')}>
      <Stack gap="md" align="center">
        <Text c="dimmed" w="100%">
          {say('guestsViewAbout')}
        </Text>
        <SegmentedControl
          aria-label={say('language')}
          value={language}
          onChange={(value) => setLanguage(value as typeof language)}
          data={Object.entries(CODES).map(([value, code]) => ({ value, label: LANGUAGES[code].name }))}
        />
        <iframe key={src + version} src={src} title={say('guestsView')} className={classes.phone} />
      </Stack>
    </Card>
  );
}
