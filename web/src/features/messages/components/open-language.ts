import { useState } from 'react';
import { useLanguage } from '../../../lib/language-context.tsx';
import type { LanguageName } from '../../../lib/languages.ts';
import { problemOf } from '../../../lib/problems.ts';
import { fieldOfDraft, languageOfField } from '../api/draft.ts';

/**
 * Language whose texts are open in the form. It changes to the language of a refused text, so that the text's field can
 * be focused.
 */
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
    setOpen((field && languageOfField(fieldOfDraft(field, open))) || open);
  }
  return [open, setOpen];
}
