import { ScrollArea, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { RoundPreview } from 'simcha-client';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { CODE_OF, LANGUAGES, type LanguageName, NAME_OF } from '../../../lib/languages.ts';
import { words } from '../words.ts';
import classes from './messages.module.css';

type Letter = RoundPreview['letters'][number];

/**
 * Preview of a message in each of its languages, as on a phone. It opens in the user's own language, if guests get the
 * message in it.
 */
export function Letters({ letters }: { letters: readonly Letter[] }) {
  const say = useWords(words);
  const own = NAME_OF[useLanguage().language];
  const [chosen, setChosen] = useState<LanguageName>(own);
  const shown = letters.find(({ language }) => language === chosen) ?? letters[0];
  if (!shown) return null;
  const { language, guests, segments } = shown;
  return (
    <Stack gap="sm">
      {letters.length > 1 && (
        <SegmentedControl
          fullWidth
          aria-label={say('languages')}
          value={language}
          onChange={(value) => setChosen(value as LanguageName)}
          data={letters.map((one) => ({
            value: one.language,
            label: LANGUAGES[CODE_OF[one.language]].name,
          }))}
        />
      )}
      <Text size="sm" c="dimmed" ta="center">
        {say('reads', { n: guests })}
        {segments !== null && ` · ${say('segments', { n: segments })}`}
      </Text>
      <Phone letter={shown} />
    </Stack>
  );
}

function Phone({ letter: { language, subject, text } }: { letter: Letter }) {
  const say = useWords(words);
  const code = CODE_OF[language];
  // The text of a mail begins with its subject. The subject is already shown above the text, so it is cut from the
  // text.
  const rest = subject !== null && text.startsWith(subject) ? text.slice(subject.length) : text;
  return (
    <div className={classes.phone}>
      <ScrollArea.Autosize
        mah={480}
        className={classes.screen}
        type="scroll"
        scrollbarSize={6}
        viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': say('preview') }}
      >
        <div className={classes.page} lang={code} dir={LANGUAGES[code].dir}>
          {subject !== null && <p className={classes.subject}>{subject}</p>}
          <div className={subject === null ? classes.bubble : undefined}>
            <p className={classes.text}>{rest.trim()}</p>
          </div>
        </div>
      </ScrollArea.Autosize>
    </div>
  );
}
