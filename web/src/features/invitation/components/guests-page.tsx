import { SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { Card } from '../../../components/card.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { CODE_OF, LANGUAGE_NAMES, LANGUAGES, type LanguageName } from '../../../lib/languages.ts';
import { words } from '../words.ts';
import classes from './invitation.module.css';

interface GuestsPageProps {
  eventId: string;
  isDraft: boolean;
  language: LanguageName;
  onLanguage(language: LanguageName): void;
  /** Of what was saved last: another one is another page. undefined: it is not known yet. */
  version: string | undefined;
}

/** The guests' page on a phone, as the server makes it: nothing can be sent from it. */
export function GuestsPage({ eventId, isDraft, language, onLanguage, version }: GuestsPageProps) {
  const say = useWords(words);
  const src = `/api/events/${eventId}/invitation/page?language=${language}`;
  return (
    <Card title={say('look')}>
      <Stack gap="md" align="center">
        <Text c="dimmed" w="100%" size="sm">
          {say(isDraft ? 'lookDraft' : 'lookAbout')}
        </Text>
        <SegmentedControl
          aria-label={say('languageOfPage')}
          fullWidth
          w="100%"
          value={language}
          onChange={(value) => onLanguage(value as LanguageName)}
          data={LANGUAGE_NAMES.map((value) => ({ value, label: LANGUAGES[CODE_OF[value]].name }))}
        />
        {version === undefined ? (
          <Skeleton className={classes.phone} />
        ) : (
          <iframe key={src + version} src={src} title={say('look')} className={classes.phone} />
        )}
      </Stack>
    </Card>
  );
}
