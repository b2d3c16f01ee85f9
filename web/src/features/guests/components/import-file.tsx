import { Alert, Button, FileButton, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { FileDown, FileSpreadsheet, History } from 'lucide-react';
import { type DragEvent, type FormEvent, useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { saveFile } from '../../../lib/save-file.ts';
import { useStored } from '../../../lib/stored-value.ts';
import { words } from '../import-words.ts';
import classes from './import.module.css';
import { pastedCellsKey } from './import-draft.ts';
import { exampleFile } from './import-example.ts';

const TYPES = '.csv,.tsv,.txt,.xlsx,.ods,.vcf,text/csv,text/tab-separated-values,text/vcard,text/x-vcard';

interface ImportFileProps {
  eventId: string;
  /** Name of the import file that was open before a reload of the page. */
  forgotten: string | undefined;
  onFile(file: File): void;
  onStartOver(): void;
}

/** First step of the import, in which the user chooses a file or pastes a list. */
export function ImportFile({ eventId, forgotten, onFile, onStartOver }: ImportFileProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onFile(file);
  };
  return (
    <Stack gap="lg">
      {forgotten && (
        <Alert icon={<History aria-hidden />} color="gray" role="status">
          <Group justify="space-between">
            <Text>{say('fileForgotten', { name: forgotten })}</Text>
            <Button variant="default" size="sm" h={44} onClick={onStartOver}>
              {say('startOver')}
            </Button>
          </Group>
        </Alert>
      )}
      <Card>
        <Stack gap="md">
          <Text>{say('about')}</Text>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the button offers the same choice */}
          <div
            className={classes.drop}
            data-over={isOver}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={drop}
          >
            <FileSpreadsheet
              size={48}
              strokeWidth={1.4}
              color="var(--mantine-primary-color-filled)"
              aria-hidden
            />
            <Text>{say(isOver ? 'dropNow' : 'drop')}</Text>
            <FileButton accept={TYPES} onChange={(file) => file && onFile(file)}>
              {(props) => (
                <Button size="lg" {...props}>
                  {say('chooseFile')}
                </Button>
              )}
            </FileButton>
          </div>
          <Group justify="space-between" gap="sm">
            <Text c="dimmed" style={{ flex: '1 1 260px' }}>
              {say('what')}
            </Text>
            <Button
              variant="default"
              leftSection={<FileDown size={18} aria-hidden />}
              onClick={() => saveFile(exampleFile(language))}
            >
              {say('example')}
            </Button>
          </Group>
        </Stack>
      </Card>
      <PasteForm eventId={eventId} onFile={onFile} />
    </Stack>
  );
}

function PasteForm({ eventId, onFile }: Pick<ImportFileProps, 'eventId' | 'onFile'>) {
  const say = useWords(words);
  const [pasted, setPasted] = useStored(pastedCellsKey(eventId), '');
  const [isTried, setTried] = useState(false);
  const isMissing = isTried && pasted.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (pasted.trim() === '') return document.getElementById('pasted')?.focus();
    onFile(new File([pasted], `${say('pastedName')}.tsv`, { type: 'text/csv' }));
  };
  return (
    <Card>
      <form noValidate onSubmit={submit}>
        <Stack gap="sm" align="flex-start">
          <Title order={3} size="h4">
            {say('paste')}
          </Title>
          <Textarea
            id="pasted"
            w="100%"
            label={say('pasteHint')}
            labelProps={{ fw: 400, mb: 6 }}
            dir="auto"
            spellCheck={false}
            minRows={4}
            maxRows={12}
            value={pasted}
            error={isMissing && say('pasteNone')}
            onChange={({ currentTarget }) => setPasted(currentTarget.value)}
          />
          <Button type="submit" variant="default">
            {say('pasteGo')}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
