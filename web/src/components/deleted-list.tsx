import { Button, Group, Stack, Text } from '@mantine/core';
import { RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from './card.tsx';

interface Deleted {
  id: string;
  name: string;
  /** Time at which the item is deleted for good, as an ISO instant. */
  until: string;
  about: ReactNode;
}

interface DeletedListProps {
  deleted: readonly Deleted[];
  /** Text shown if there are no deleted items. */
  none: string;
  restore: string;
  restoreNamed(name: string): string;
  /** Identifier of the deleted item that is being restored. */
  restoring: string | undefined;
  /** Restores a deleted item; missing for users who may only read. */
  onRestore?: ((one: Deleted) => void) | undefined;
  children?: ReactNode;
}

/** List of deleted items that can still be restored, each with a button that does so. */
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
          {deleted.map((one) => (
            <Group key={one.id} component="li" justify="space-between" gap="sm">
              <div style={{ minWidth: 0, flex: '1 1 240px' }}>
                <Text fw={500}>
                  <bdi>{one.name}</bdi>
                </Text>
                <Text size="sm" c="dimmed">
                  {one.about}
                </Text>
              </div>
              {onRestore && (
                <Button
                  variant="default"
                  aria-label={restoreNamed(one.name)}
                  leftSection={<RotateCcw size={18} aria-hidden />}
                  loading={restoring === one.id}
                  onClick={() => onRestore(one)}
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
