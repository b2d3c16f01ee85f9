import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { localDateAndTime, timeAgo } from '../lib/durations.ts';
import { useLanguage } from '../lib/language-context.tsx';

const DRAW_MS = 20_000;

/** Age of an instant, kept current; the exact time is shown when a pointer rests on it. */
export function TimeAgo({ at }: { at: string }) {
  const { language } = useLanguage();
  const [, setDrawn] = useState(0);
  useInterval(() => setDrawn((drawn) => drawn + 1), DRAW_MS, { autoInvoke: true });
  return (
    <time dateTime={at} title={localDateAndTime(at, language)}>
      {timeAgo(at, language)}
    </time>
  );
}
