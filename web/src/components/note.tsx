import { Alert, Stack } from '@mantine/core';
import { Info } from 'lucide-react';
import type { ReactNode } from 'react';

/** Note that asks for attention without being an error, such as a condition to be met first. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <Alert
      color="var(--simcha-wait-ink)"
      bg="var(--simcha-wait)"
      c="var(--simcha-wait-ink)"
      icon={<Info aria-hidden />}
    >
      <Stack gap="sm" align="flex-start" c="var(--simcha-wait-ink)">
        {children}
      </Stack>
    </Alert>
  );
}
