import { Anchor, Box, Group, SimpleGrid, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Budget, EventWarning } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { formatShekels } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { budgetQuery } from '../../events/api/events.ts';
import { isVendorKind } from '../api/search.ts';
import { words } from '../words.ts';
import { KindIcon } from './kind-icon.tsx';
import classes from './money.module.css';
import { WarningList } from './warning-list.tsx';

const PARTS = ['planned', 'booked', 'paid'] as const;
type Sums = Pick<Budget, (typeof PARTS)[number]>;

/** Planned, booked and paid amounts of an event, compared with its budget. */
export function Money({ id, warnings }: { id: string; warnings: readonly EventWarning[] }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data: budget, error, refetch } = useQuery(budgetQuery(id));
  if (error && !budget) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (!budget)
    return (
      <Card title={say('money')}>
        <Skeleton height={240} />
      </Card>
    );
  const money = (amount: number) => formatShekels(amount, language);
  return (
    <Card title={say('money')}>
      <Stack gap="md">
        <Group justify="space-between" align="baseline" gap="xs">
          {budget.budget === null ? (
            <Group gap="sm">
              <Text c="dimmed">{say('noBudget')}</Text>
              <Anchor
                renderRoot={(props) => (
                  <Link to="/events/$eventId/details" params={{ eventId: id }} {...props} />
                )}
              >
                {say('setBudget')}
              </Anchor>
            </Group>
          ) : (
            <Text fz={24} fw={600} lh={1.2}>
              {say('budgetOf', { amount: money(budget.budget) })}
            </Text>
          )}
          {budget.left !== null && (
            <Text fw={500} c={budget.left < 0 ? 'var(--mantine-color-error)' : 'dimmed'}>
              {budget.left < 0
                ? say('over', { amount: money(-budget.left) })
                : say('left', { amount: money(budget.left) })}
            </Text>
          )}
        </Group>
        <WarningList warnings={warnings} />
        <Bar
          sums={budget}
          most={Math.max(budget.budget ?? 0, budget.planned, budget.booked, budget.paid)}
          mark={budget.budget}
          isThick
        />
        <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm" component="dl" m={0}>
          {PARTS.map((part) => (
            <div key={part}>
              <Group component="dt" gap={8} wrap="nowrap" align="flex-start" fz="sm" c="dimmed">
                <Box className={classes.swatch} data-part={part} mt={4} aria-hidden />
                <span>
                  {say(part)} · {say(`${part}About`)}
                </span>
              </Group>
              <Text component="dd" m={0} ps={22} fw={600} fz="lg">
                {money(budget[part])}
              </Text>
            </div>
          ))}
        </SimpleGrid>
        {budget.owed > 0 && <Text c="dimmed">{say('owed', { amount: money(budget.owed) })}</Text>}
        <Kinds budget={budget} />
      </Stack>
    </Card>
  );
}

/** Amounts of the budget by kind of vendor, the largest first. */
function Kinds({ budget }: { budget: Budget }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const money = (amount: number) => formatShekels(amount, language);
  const nameOf = (kind: string) => say(`kind_${isVendorKind(kind) ? kind : 'other'}`);
  const height = (sums: Sums) => Math.max(sums.planned, sums.booked, sums.paid);
  const kinds = budget.by_kind.filter((kind) => height(kind) > 0).sort((a, b) => height(b) - height(a));
  if (kinds.length === 0) return null;
  const most = Math.max(...kinds.map(height));
  return (
    <div>
      <Text fw={600} mb="xs">
        {say('byKind')}
      </Text>
      <div className={classes.kinds} aria-hidden>
        {kinds.map((sums) => (
          <div key={sums.kind} className={classes.kind}>
            <Group gap={8} wrap="nowrap" className={classes.name}>
              <KindIcon kind={sums.kind} size={18} />
              <Text size="sm">{nameOf(sums.kind)}</Text>
            </Group>
            <Bar sums={sums} most={most} />
            <Text size="sm" fw={500} className={classes.sum}>
              {money(height(sums))}
            </Text>
          </div>
        ))}
      </div>
      <VisuallyHidden>
        <table>
          <caption>{say('byKind')}</caption>
          <thead>
            <tr>
              <th scope="col">{say('kind')}</th>
              {PARTS.map((part) => (
                <th key={part} scope="col">
                  {say(part)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...kinds, { ...budget, kind: '' }].map((sums) => (
              <tr key={sums.kind}>
                <th scope="row">{sums.kind ? nameOf(sums.kind) : say('allKinds')}</th>
                {PARTS.map((part) => (
                  <td key={part}>{money(sums[part])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </div>
  );
}

interface BarProps {
  sums: Sums;
  /** Amount of money that a completely filled bar stands for. */
  most: number;
  /** Budget of the event, drawn as a line across the bar. */
  mark?: number | null;
  isThick?: boolean;
}

/** Bar of an event's costs: paid within booked within planned, each in a stronger red. The amounts stand beside it. */
function Bar({ sums, most, mark, isThick }: BarProps) {
  const share = (amount: number) => `${most > 0 ? (100 * amount) / most : 0}%`;
  return (
    <div className={classes.bar} data-thick={isThick || undefined} aria-hidden>
      {PARTS.map(
        (part) =>
          sums[part] > 0 && (
            <div
              key={part}
              className={classes.part}
              data-part={part}
              style={{ inlineSize: share(sums[part]) }}
            />
          ),
      )}
      {mark && mark < most ? (
        <div className={classes.mark} style={{ insetInlineStart: share(mark) }} />
      ) : null}
    </div>
  );
}
