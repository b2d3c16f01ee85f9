import { List, Text } from '@mantine/core';
import { CircleAlert, Info } from 'lucide-react';
import type { NamedAdvice } from 'simcha-client';

/** Calendar's advice about a day. If it has a `message`, the message is shown instead of the advice's name. */
export type AdviceWithMessage = NamedAdvice & { message?: string };

/** Shows the calendar's advice about a day. Advice warns the user and never blocks a form. */
export function Advice({ advice }: { advice: readonly AdviceWithMessage[] }) {
  // Several communities may have the same advice for a day; the advice is shown once.
  const byText = new Map(advice.map((one) => [one.message ?? one.name, one]));
  if (byText.size === 0) return null;
  return (
    <List spacing={6} listStyleType="none">
      {[...byText].map(([sentence, { strength }]) => {
        const isStrong = strength === 'not_held';
        const color = isStrong ? 'var(--mantine-color-error)' : 'var(--mantine-color-dimmed)';
        const Icon = isStrong ? CircleAlert : Info;
        return (
          <List.Item key={sentence} icon={<Icon size={18} color={color} aria-hidden />}>
            <Text size="sm" c={isStrong ? 'var(--mantine-color-error)' : undefined}>
              {sentence}
            </Text>
          </List.Item>
        );
      })}
    </List>
  );
}
