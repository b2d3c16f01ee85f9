import { List, Text } from '@mantine/core';
import type { Round } from 'simcha-client';
import { formatNumber } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';

type Why = keyof Round['left_out'];

/** Numbers of guests who do not get the message, by reason, the most frequent reason first. */
export function LeftOut({ leftOut }: { leftOut: Round['left_out'] }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const reasons = (Object.entries(leftOut) as [Why, number][]).filter(([, guests]) => guests > 0);
  if (reasons.length === 0) return null;
  const all = reasons.reduce((sum, [, guests]) => sum + guests, 0);
  return (
    <div>
      <Text fw={500}>{say('leftOut', { n: all })}</Text>
      <List size="sm" c="dimmed">
        {reasons
          .sort(([, one], [, other]) => other - one)
          .map(([why, guests]) => (
            <List.Item key={why}>
              {formatNumber(guests, language)} {say(`why_${why}`)}
            </List.Item>
          ))}
      </List>
    </div>
  );
}
