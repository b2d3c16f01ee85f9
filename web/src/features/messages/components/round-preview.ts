import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { NewRound, RoundPreview } from 'simcha-client';
import { useLanguage } from '../../../lib/language-context.tsx';
import type { LanguageName } from '../../../lib/languages.ts';
import { problemOf } from '../../../lib/problems.ts';
import { EMPTY_DRAFT, fieldOfDraft } from '../api/draft.ts';
import { previewQuery } from '../api/rounds.ts';

/** Pause in typing after which the preview of the message is reloaded, in milliseconds. */
const PAUSE = 400;

interface PreviewRequest {
  body: NewRound;
  /** False while values of the message are missing or loading, so that the server would refuse to make a preview. */
  isReady: boolean;
  /** Language whose texts the user is writing. */
  open: LanguageName;
}

export interface ComposedPreview {
  preview: RoundPreview | undefined;
  /** True if the preview matches the current values of the form. */
  isCurrent: boolean;
  hasFailed: boolean;
  /** Error of the message preview that belongs to no field of the form. */
  error: unknown;
  /** Errors of the message preview, by form field: `channel`, or a text such as `message_hebrew`. */
  fieldErrors: Readonly<Record<string, string>>;
  reload(): void;
}

/** Preview of a message, updated while the user writes it. */
export function useRoundPreview(eventId: string, { body, isReady, open }: PreviewRequest): ComposedPreview {
  const { language } = useLanguage();
  const current = JSON.stringify(body);
  const [requested] = useDebouncedValue(current, PAUSE);
  const dryRun = useQuery({
    ...previewQuery(eventId, JSON.parse(requested) as NewRound),
    enabled: isReady,
  });
  const problem = dryRun.error ? problemOf(dryRun.error, language) : undefined;
  const field = problem?.field && fieldOfDraft(problem.field, open);
  return {
    preview: dryRun.data,
    isCurrent: requested === current && !dryRun.isPlaceholderData,
    hasFailed: dryRun.isError,
    error: field && field in EMPTY_DRAFT ? undefined : dryRun.error,
    fieldErrors: problem && field ? { [field]: problem.complaint } : {},
    reload: () => void dryRun.refetch(),
  };
}
