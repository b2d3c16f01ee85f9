import { List, Text } from '@mantine/core';
import { CircleAlert, Info } from 'lucide-react';
import type { NamedAdvice } from 'simcha-client';

/** What the calendar knows of a day; never a refusal. */
export function Advice({ advice }: { advice: readonly (NamedAdvice & { message?: string })[] }) {
  if (advice.length === 0) return null;
  return (
    <List spacing={6} listStyleType="none">
      {advice.map(({ code, name, strength, message }) => {
        const isStrong = strength === 'not_held';
        const color = isStrong ? 'var(--mantine-color-error)' : 'var(--mantine-color-dimmed)';
        const Icon = isStrong ? CircleAlert : Info;
        return (
          <List.Item key={code + name} icon={<Icon size={18} color={color} aria-hidden />}>
            <Text size="sm" c={isStrong ? 'var(--mantine-color-error)' : undefined}>
              {message ?? name}
            </Text>
          </List.Item>
        );
      })}
    </List>
  );
}
