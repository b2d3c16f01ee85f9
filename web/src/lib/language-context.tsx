import { useDirection } from '@mantine/core';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { LANGUAGES, type Language } from './languages.ts';
import { languageOfPage, storeLanguage } from './page-language.ts';
import { type Catalogue, type Say, sayIn } from './words.ts';

interface Speaking {
  language: Language;
  /** Changes the console's language and remembers it in this browser. */
  choose(language: Language): void;
}

const LanguageContext = createContext<Speaking>({ language: 'he', choose: () => {} });

/** Provides the language of the page to its components; `<html lang dir>` follows it. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(languageOfPage);
  const { setDirection } = useDirection();
  useEffect(() => {
    document.documentElement.lang = language;
    setDirection(LANGUAGES[language].dir);
  }, [language, setDirection]);
  const speaking = useMemo<Speaking>(
    () => ({
      language,
      choose(chosen) {
        storeLanguage(chosen);
        document.documentElement.lang = chosen;
        setLanguage(chosen);
      },
    }),
    [language],
  );
  return <LanguageContext value={speaking}>{children}</LanguageContext>;
}

export const useLanguage = (): Speaking => useContext(LanguageContext);

/** Returns a function that gives the sentences of a catalogue in the language of the page. */
export const useWords = <C extends Catalogue>(catalogue: C): Say<C> =>
  sayIn(catalogue, useLanguage().language);
