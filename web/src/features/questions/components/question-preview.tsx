import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { useWords } from '../../../lib/language-context.tsx';
import { CODE_OF, LANGUAGE_NAMES, LANGUAGES, type LanguageName } from '../../../lib/languages.ts';
import { words } from '../words.ts';
import { type QuestionValues, type Texts, writtenOptions } from './question-values.ts';
import classes from './questions.module.css';

interface PreviewProps {
  values: QuestionValues;
  eventLanguage: LanguageName;
}

/**
 * Preview of a question as guests see it, in the chosen language, or in the event's language if the chosen one has no
 * text.
 */
export function QuestionPreview({ values, eventLanguage }: PreviewProps) {
  const say = useWords(words);
  const field = useId();
  const [language, setLanguage] = useState<LanguageName>(eventLanguage);
  const code = CODE_OF[language];
  const inLanguage = (texts: Texts) =>
    [language, eventLanguage, ...LANGUAGE_NAMES].map((name) => texts[name].trim()).find(Boolean) ?? '';
  const question = inLanguage(values);
  return (
    <Stack gap="xs" role="group" aria-label={say('preview')}>
      <Text fw={500}>{say('preview')}</Text>
      <SegmentedControl
        size="sm"
        aria-label={say('previewIn')}
        value={language}
        onChange={(name) => setLanguage(name as LanguageName)}
        data={LANGUAGE_NAMES.map((name) => ({ value: name, label: LANGUAGES[CODE_OF[name]].name }))}
      />
      <div className={classes.preview} lang={code} dir={LANGUAGES[code].dir}>
        <label htmlFor={field}>
          {question ? <bdi>{question}</bdi> : <span className={classes.none}>{say('previewEmpty')}</span>}
        </label>
        {values.kind === 'choice' ? (
          <select id={field} className={classes.field}>
            <option value="">—</option>
            {writtenOptions(values).map((option, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two options may be equal while they are typed
              <option key={at}>{inLanguage(option)}</option>
            ))}
          </select>
        ) : (
          <input id={field} className={classes.field} readOnly />
        )}
      </div>
    </Stack>
  );
}
