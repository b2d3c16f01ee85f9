import { SegmentedControl, Stack } from '@mantine/core';
import { useWords } from '../lib/language-context.tsx';
import { CODE_OF, LANGUAGE_NAMES, LANGUAGES, type LanguageName } from '../lib/languages.ts';
import classes from './guest-page-preview.module.css';
import { ServerPage } from './server-page.tsx';
import { words } from './words.ts';

interface GuestsPageProps {
  eventId: string;
  language: LanguageName;
  onLanguage(language: LanguageName): void;
  /** ETag of the saved invitation; undefined while it is loading. A new ETag reloads the preview. */
  version: string | undefined;
}

/** Preview of the guests' page on a phone, rendered by the server. The page's forms can't be sent. */
export function GuestPagePreview({ eventId, language, onLanguage, version }: GuestsPageProps) {
  const say = useWords(words);
  const src = `/api/events/${eventId}/invitation/page?language=${language}`;
  return (
    <Stack gap="md" align="center">
      <SegmentedControl
        aria-label={say('languageOfGuestsPage')}
        fullWidth
        w="100%"
        value={language}
        onChange={(value) => onLanguage(value as LanguageName)}
        data={LANGUAGE_NAMES.map((value) => ({ value, label: LANGUAGES[CODE_OF[value]].name }))}
      />
      <ServerPage src={src} title={say('guestsPage')} version={version} className={classes.phone} />
    </Stack>
  );
}
