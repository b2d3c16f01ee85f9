import { Fieldset, Stack } from '@mantine/core';

/** Part of the guest form with a title. */
export function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <Fieldset
      variant="unstyled"
      legend={title}
      styles={{ legend: { fontWeight: 600, fontSize: 'var(--mantine-font-size-lg)', marginBottom: 8 } }}
    >
      <Stack gap="md">{children}</Stack>
    </Fieldset>
  );
}
