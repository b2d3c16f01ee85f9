import { Fieldset, Stack } from '@mantine/core';

/** Titled part of the form for a guest. */
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
