import { SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatPhone } from '../../../lib/format-phone.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { guestQuery } from '../api/guests.ts';
import type { Decision, ImportColumn, ImportRow } from '../api/import.ts';
import { words } from '../import-words.ts';
import { words as guestWords } from '../words.ts';
import classes from './import.module.css';
import { Facts, RowFacts } from './import-facts.tsx';
import { useRowName } from './import-labels.ts';
import { decisionsOf } from './import-rows.ts';

/** Reasons why a row may be a guest who is already in the list, each with a text. */
const WHYS = ['why_likely_double', 'why_other_name', 'why_other_contact'] as const;

interface PossibleDuplicateProps {
  eventId: string;
  /**
   * Row of the imported file, as the server sent it when it asked whether the row is a guest who is already in the
   * list.
   */
  asked: ImportRow;
  columns: readonly ImportColumn[];
  decision: Decision | undefined;
  onDecide(decision: Decision | undefined): void;
}

/** Row of an imported file beside the guest whom it resembles, with buttons for the user's decision. */
export function PossibleDuplicate({ eventId, asked, columns, decision, onDecide }: PossibleDuplicateProps) {
  const say = useWords(words);
  const nameOf = useRowName();
  const { name, code, looks_like: like } = asked;
  const why = WHYS.find((one) => one === `why_${code}`) ?? 'why_likely_double';
  const updateLabel = code === 'other_contact' ? 'decide_update_contact' : 'decide_update';
  return (
    <Stack gap="sm">
      <Text size="sm">{say(why)}</Text>
      <div className={classes.sides}>
        <RowSide row={asked} columns={columns} />
        {like?.guest_id ? (
          <GuestSide eventId={eventId} id={like.guest_id} name={like.name} />
        ) : (
          <div className={classes.side}>
            <Text size="sm" c="dimmed">
              {say('inFileToo', { place: nameOf(like?.ref ?? '') })}
            </Text>
            <Text fw={500}>
              <bdi>{like?.name}</bdi>
            </Text>
          </div>
        )}
      </div>
      <SegmentedControl
        aria-label={say('whoIs', { name })}
        fullWidth
        styles={{ label: { paddingInline: 6, whiteSpace: 'normal', height: '100%' } }}
        value={decision ?? ''}
        onChange={(value) => onDecide((value || undefined) as Decision | undefined)}
        data={[
          { value: '', label: say('undecide') },
          ...decisionsOf(asked).map((value) => ({
            value: value as string,
            label: say(value === 'update' ? updateLabel : `decide_${value}`),
          })),
        ]}
      />
    </Stack>
  );
}

function RowSide({ row, columns }: { row: ImportRow; columns: readonly ImportColumn[] }) {
  const say = useWords(words);
  const nameOf = useRowName();
  return (
    <div className={classes.side}>
      <Text size="sm" c="dimmed">
        {say('inFile', { place: nameOf(row.ref) })}
      </Text>
      <Text fw={500}>
        <bdi>{row.name}</bdi>
      </Text>
      <RowFacts row={row} columns={columns.filter(({ field }) => field !== 'name')} />
    </div>
  );
}

function GuestSide({ eventId, id, name }: { eventId: string; id: string; name: string }) {
  const say = useWords(words);
  const sayOfGuest = useWords(guestWords);
  const { data, isPending } = useQuery(guestQuery(eventId, id));
  const { phone, email, other_phones: phones = [], other_emails: emails = [] } = data?.guest ?? {};
  const { party_size: party, tags = [], note } = data?.guest ?? {};
  const facts = [
    ['phone', phone && formatPhone(phone)],
    ['other_phones', phones.map(formatPhone).join(', ')],
    ['email', email],
    ['other_emails', emails.join(', ')],
    ['party', party && String(party)],
    ['tags', tags.join(', ')],
    ['note', note],
  ] as const;
  return (
    <div className={classes.side}>
      <Text size="sm" c="dimmed">
        {say('onList')}
      </Text>
      <Text fw={500}>
        <bdi>{data?.guest.name ?? name}</bdi>
      </Text>
      {isPending ? (
        <Skeleton height={16} width="60%" mt={6} />
      ) : (
        <Facts facts={facts.flatMap(([key, text]) => (text ? [[sayOfGuest(key), text] as const] : []))} />
      )}
    </div>
  );
}
