import { Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AnswerDay } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { dayAfter, shortDay, todayInIsrael } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { countsQuery } from '../../events/api/events.ts';
import { answerDaysQuery } from '../../questions/api/numbers.ts';
import { words } from '../words.ts';
import classes from './answers-over-time.module.css';

const WIDTH = 600;
const HEIGHT = 160;
const DAY_MS = 86_400_000;

/** Layers of the chart of replies from the bottom: guests who come, maybe come, wait for a place, and do not come. */
const LAYERS = [
  { color: 'var(--simcha-yes)', of: ({ confirmed }: AnswerDay) => confirmed },
  { color: 'var(--simcha-maybe)', of: ({ maybe }: AnswerDay) => maybe },
  { color: 'var(--simcha-waiting)', of: ({ waiting }: AnswerDay) => waiting },
  { color: 'var(--simcha-no)', of: ({ declined }: AnswerDay) => declined },
] as const;

/** Chart of the replies over time, scaled to the number of guests on the list. */
export function AnswersOverTime({ id }: { id: string }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data: days = [], isPending } = useQuery(answerDaysQuery(id));
  const { data: counts } = useQuery(countsQuery(id));
  const all = counts?.rsvp_total ?? 0;
  const first = days[0]?.day;
  const hasReplies = counts !== undefined && counts.rsvp_confirmed + counts.rsvp_declined > 0;
  // Room for the chart, so that the cards below do not move when it comes.
  if (isPending && hasReplies) {
    return (
      <Card title={say('overTime')}>
        <Skeleton height={205} />
      </Card>
    );
  }
  // The chart of replies needs at least two days.
  if (!first || first === todayInIsrael()) return null;
  const last = [todayInIsrael(), days.at(-1)?.day ?? ''].sort().at(-1) ?? first;
  const answered = days.reduce((sum, day) => sum + LAYERS.reduce((of, layer) => of + layer.of(day), 0), 0);
  const areas = areasOf(days, first, last, Math.max(all, answered));
  return (
    <Card title={say('overTime')}>
      <div dir="ltr">
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className={classes.plot}
          role="img"
          aria-label={say('overTimeAbout', {
            from: shortDay(first, language),
            until: shortDay(last, language),
            n: answered,
          })}
        >
          {areas.map(({ color, path }) => (
            <path key={color} d={path} fill={color} />
          ))}
        </svg>
        <Group justify="space-between" mt={6}>
          {[first, last].map((day) => (
            <Text key={day} component="time" dateTime={day} size="sm" c="dimmed" dir="auto">
              {shortDay(day, language)}
            </Text>
          ))}
        </Group>
      </div>
      <Text mt={4}>{say('answeredOf', { n: answered, all })}</Text>
    </Card>
  );
}

/** Stacked areas of the chart of replies, from the first day to the last. The full height stands for `all` guests. */
function areasOf(days: readonly AnswerDay[], first: string, last: string, all: number) {
  const span = daysBetween(first, last);
  const at = new Map(days.map((day) => [day.day, day]));
  const sums = LAYERS.map(() => 0);
  const tops = Array.from({ length: span + 1 }, (_, index) => {
    const day = at.get(dayAfter(first, index));
    let top = 0;
    return LAYERS.map(({ of }, layer) => {
      sums[layer] = (sums[layer] ?? 0) + (day ? of(day) : 0);
      top += sums[layer] ?? 0;
      return top;
    });
  });
  const x = (index: number) => ((WIDTH * index) / span).toFixed(1);
  const y = (guests: number) => (HEIGHT - (HEIGHT * guests) / Math.max(all, 1)).toFixed(1);
  return LAYERS.map(({ color }, layer) => {
    const above = tops.map((top, index) => `${x(index)} ${y(top[layer] ?? 0)}`);
    const below = tops.map((top, index) => `${x(index)} ${y(layer === 0 ? 0 : (top[layer - 1] ?? 0))}`);
    return { color, path: `M${above.join('L')}L${below.reverse().join('L')}Z` };
  });
}

const daysBetween = (first: string, last: string): number =>
  Math.max(1, Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS));
