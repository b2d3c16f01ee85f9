import { useState } from 'react';
import { useLanguage } from '../../../lib/language-context.tsx';
import type { LanguageName } from '../../../lib/languages.ts';
import { problemOf } from '../../../lib/problems.ts';
import { fieldOfDraft, languageOf } from '../api/draft.ts';

/** In which language words are open to be written: that of the words which the server refuses, before one is led to them. */
export function useOpenLanguage(
  initial: LanguageName,
  error: unknown,
): [open: LanguageName, setOpen: (language: LanguageName) => void] {
  const { language } = useLanguage();
  const [open, setOpen] = useState(initial);
  const [refused, setRefused] = useState<unknown>(null);
  if (error !== refused) {
    setRefused(error);
    const field = error ? problemOf(error, language).field : undefined;
    setOpen((field && languageOf(fieldOfDraft(field, open))) || open);
  }
  return [open, setOpen];
}
