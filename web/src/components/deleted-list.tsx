import { Button, Group, Stack, Text } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from './card.tsx';

interface DeletedListProps {
  deleted: readonly { id: string; name: string; about: ReactNode }[];
  /** In place of an empty list. */
  none: string;
  restore: string;
  restoreNamed(name: string): string;
  /** Whose way back is under way. */
  restoring: string | undefined;
  /** Missing where nothing may be changed. */
  onRestore?: ((id: string) => void) | undefined;
  children?: ReactNode;
}

/** What may still come back, each by a button beside it. */
export function DeletedList(props: DeletedListProps) {
  const { deleted, none, restore, restoreNamed, restoring, onRestore, children } = props;
  return (
    <Card>
      {deleted.length === 0 ? (
        <Text ta="center" py="lg" role="status">
          {none}
        </Text>
      ) : (
        <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
          {deleted.map(({ id, name, about }) => (
            <Group key={id} component="li" justify="space-between" gap="sm">
              <div style={{ minWidth: 0, flex: '1 1 240px' }}>
                <Text fw={500}>
                  <bdi>{name}</bdi>
                </Text>
                <Text size="sm" c="dimmed">
                  {about}
                </Text>
              </div>
              {onRestore && (
                <Button
                  variant="default"
                  aria-label={restoreNamed(name)}
                  leftSection={<RotateCcw size={18} aria-hidden />}
                  loading={restoring === id}
                  onClick={() => onRestore(id)}
                >
                  {restore}
                </Button>
              )}
            </Group>
          ))}
        </Stack>
      )}
      {children}
    </Card>
  );
}
