import { Tabs, VisuallyHidden } from '@mantine/core';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useWords } from '../lib/language-context.tsx';
import { CODE_OF, LANGUAGE_NAMES, LANGUAGES, type LanguageName } from '../lib/languages.ts';
import classes from './language-tabs.module.css';
import { words } from './words.ts';

interface LanguageTabsProps {
  label: string;
  open: LanguageName;
  onOpen(language: LanguageName): void;
  isWritten(language: LanguageName): boolean;
  children(language: LanguageName): ReactNode;
}

/** Tabs for a text in each language of guests. A mark shows the languages that already have a text. */
export function LanguageTabs({ label, open, onOpen, isWritten, children }: LanguageTabsProps) {
  const say = useWords(words);
  return (
    <Tabs value={open} onChange={(value) => value && onOpen(value as LanguageName)}>
      <Tabs.List grow aria-label={label} className={classes.languages}>
        {LANGUAGE_NAMES.map((name) => (
          <Tabs.Tab key={name} value={name} h={44} px={6} lang={CODE_OF[name]}>
            {LANGUAGES[CODE_OF[name]].name}
            {isWritten(name) && (
              <>
                <Check size={16} aria-hidden className={classes.written} />
                <VisuallyHidden>{say('written')}</VisuallyHidden>
              </>
            )}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {LANGUAGE_NAMES.map((name) => (
        <Tabs.Panel key={name} value={name} pt="md">
          {children(name)}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
