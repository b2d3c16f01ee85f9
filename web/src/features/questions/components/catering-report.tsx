import { Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FileDown, Printer } from 'lucide-react';
import { useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { ServerPage } from '../../../components/server-page.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { LANGUAGES, type Language } from '../../../lib/languages.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { catererPage, numbersQuery, readCatererSheet } from '../api/numbers.ts';
import { words } from '../words.ts';
import classes from './questions.module.css';

interface CateringReportProps {
  eventId: string;
  language: Language;
  onLanguage(language: Language): void;
}

/** Catering report, which the user can view, print, or download as a spreadsheet. */
export function CateringReport({ eventId, language, onLanguage }: CateringReportProps) {
  const say = useWords(words);
  const { data: numbers, error: unread, refetch } = useQuery(numbersQuery(eventId));
  const [isReading, setReading] = useState(false);
  const [error, setError] = useState<unknown>();
  const src = catererPage(eventId, language);
  // The catering report reloads only when its numbers change, so that it does not reload while somebody reads it.
  const version =
    numbers && JSON.stringify([numbers.people, numbers.children, numbers.meals, numbers.allergies]);
  const download = async () => {
    setError(undefined);
    setReading(true);
    try {
      saveFile(await readCatererSheet(eventId, language));
    } catch (reason) {
      setError(reason);
    } finally {
      setReading(false);
    }
  };
  return (
    <Stack gap="md">
      <div>
        <Title order={2} size="h4">
          {say('caterer')}
        </Title>
        <Text c="dimmed">{say('catererAbout')}</Text>
      </div>
      <Group justify="space-between" gap="sm">
        <SegmentedControl
          aria-label={say('language')}
          value={language}
          onChange={(value) => onLanguage(value as Language)}
          data={Object.entries(LANGUAGES).map(([value, { name }]) => ({ value, label: name }))}
        />
        <Group gap="sm">
          <Button leftSection={<Printer size={18} aria-hidden />} onClick={() => printPage(src)}>
            {say('print')}
          </Button>
          <Button
            variant="default"
            leftSection={<FileDown size={18} aria-hidden />}
            loading={isReading}
            onClick={() => void download()}
          >
            {say('download')}
          </Button>
        </Group>
      </Group>
      <ProblemNote error={error} />
      <ProblemNote error={unread} onRetry={() => refetch()} />
      <ServerPage isStill src={src} title={say('caterer')} version={version} className={classes.paper} />
    </Stack>
  );
}

/** Prints the catering report in a window of its own: some phones print the outer page instead of a frame. */
function printPage(src: string): void {
  const opened = window.open(src);
  opened?.addEventListener('load', () => opened.print());
}
