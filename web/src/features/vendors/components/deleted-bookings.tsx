import { Button, Collapse, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { shortDate } from '../../../lib/dates.ts';
import { restoreKeyOf } from '../../../lib/idempotency-key.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { deletedBookingsQuery, useRestoreBooking } from '../api/bookings.ts';
import { words } from '../words.ts';

/** List of an event's deleted bookings that can still be restored. */
export function DeletedBookings({ id }: { id: string }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data: deleted } = useQuery(deletedBookingsQuery(id));
  const restore = useRestoreBooking(id);
  const [isOpen, setOpen] = useState(false);
  if (!deleted?.length) return null;
  return (
    <div>
      <Button
        variant="subtle"
        color="gray"
        c="dimmed"
        px={6}
        aria-expanded={isOpen}
        rightSection={isOpen ? <ChevronUp size={18} aria-hidden /> : <ChevronDown size={18} aria-hidden />}
        onClick={() => setOpen(!isOpen)}
      >
        {say('deleted')}
      </Button>
      <Collapse expanded={isOpen}>
        <ProblemNote error={restore.error} />
        <Stack component="ul" gap="xs" m={0} p={0} pt="xs" style={{ listStyle: 'none' }}>
          {deleted.map(({ id: bookingId, vendor_name: who, until }) => (
            <Group key={bookingId} component="li" justify="space-between" wrap="nowrap">
              <div style={{ minWidth: 0 }}>
                <Text component="bdi" fw={500}>
                  {who}
                </Text>
                <Text size="sm" c="dimmed">
                  {say('deletedUntil', { date: shortDate(until, language) })}
                </Text>
              </div>
              <Button
                variant="default"
                leftSection={<Undo2 size={18} className="turns" aria-hidden />}
                aria-label={say('restoreNamed', { who })}
                loading={restore.isPending && restore.variables.id === bookingId}
                onClick={() => restore.mutate({ id: bookingId, key: restoreKeyOf({ id: bookingId, until }) })}
                style={{ flex: 'none' }}
              >
                {say('restore')}
              </Button>
            </Group>
          ))}
        </Stack>
      </Collapse>
    </div>
  );
}
