import { Box, Group, Progress, Text } from '@mantine/core';
import type { Round } from 'simcha-client';
import { formatNumber } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';
import classes from './messages.module.css';

const partsOf = ({ sent, waiting, bounced, unknown }: Round) =>
  [
    { name: 'sent', guests: sent, color: 'var(--simcha-yes)' },
    { name: 'waiting', guests: waiting, color: 'var(--simcha-maybe)' },
    { name: 'bounced', guests: bounced, color: 'var(--simcha-no)' },
    { name: 'unknown', guests: unknown, color: 'var(--simcha-waiting)' },
  ] as const;

/**
 * Bar with a round's progress over its guests. Numbers that are zero are hidden, except those of sent messages and of
 * replies.
 */
export function DeliveryBar({ round, isWhole = false }: { round: Round; isWhole?: boolean }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const parts = partsOf(round);
  const named = parts.filter(({ name, guests }) => guests > 0 || name === 'sent');
  const further = (['delivered', 'read', 'answered'] as const).filter(
    (name) => name === 'answered' || (isWhole && round[name] > 0),
  );
  return (
    <>
      <Progress.Root size={isWhole ? 14 : 8} radius="xl" aria-hidden>
        {parts.map(({ name, guests, color }) => (
          <Progress.Section
            key={name}
            value={round.chosen ? (100 * guests) / round.chosen : 0}
            color={color}
          />
        ))}
      </Progress.Root>
      <dl className={classes.legend}>
        {named.map(({ name, guests, color }) => (
          <div key={name}>
            <Group component="dt" gap={8} wrap="nowrap" fz="sm" c="dimmed">
              <Box w={12} h={12} bg={color} style={{ borderRadius: 4, flex: 'none' }} aria-hidden />
              {say(`part_${name}`)}
            </Group>
            <Text component="dd" m={0} ps={20} fw={600}>
              {formatNumber(guests, language)}
            </Text>
          </div>
        ))}
        {further.map((name) => (
          <div key={name}>
            <Text component="dt" size="sm" c="dimmed">
              {say(`part_${name}`)}
            </Text>
            <Text component="dd" m={0} fw={600}>
              {formatNumber(round[name], language)}
            </Text>
          </div>
        ))}
      </dl>
    </>
  );
}
