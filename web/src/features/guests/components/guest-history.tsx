import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Guest, HistoryEntry } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { dateAndTime } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { LANGUAGES, type Language } from '../../../lib/languages.ts';
import type { Say } from '../../../lib/words.ts';
import { answerOf } from '../api/answer.ts';
import { historyQuery } from '../api/guests.ts';
import { type Member, membersText } from '../api/members.ts';
import { words } from '../words.ts';

/** History of one guest's changes, the newest entry first. */
export function GuestHistory({ eventId, id }: { eventId: string; id: string }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const read = useInfiniteQuery(historyQuery(eventId, id));
  const lines = read.data?.pages.flatMap(({ history }) => history);
  return (
    <Card title={say('history')}>
      <Stack gap="md">
        <ProblemNote error={read.error} onRetry={() => read.refetch()} />
        {read.isPending && <Skeleton height={64} />}
        {lines?.length === 0 && <Text c="dimmed">{say('noHistory')}</Text>}
        <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
          {lines?.map((line) => (
            <li key={line.id}>
              <Text fw={500}>{say(didOf(line))}</Text>
              {changeTexts(line, say, language).map((sentence) => (
                <Text key={sentence} size="sm" dir="auto">
                  {sentence}
                </Text>
              ))}
              <Text size="sm" c="dimmed">
                {line.by.kind === 'organizer' && line.by.email ? (
                  <bdi dir="ltr">{line.by.email}</bdi>
                ) : (
                  say(`by_${line.by.kind}`)
                )}{' '}
                · {dateAndTime(line.at, language)}
              </Text>
            </li>
          ))}
        </Stack>
        {read.hasNextPage && (
          <Button variant="default" loading={read.isFetchingNextPage} onClick={() => read.fetchNextPage()}>
            {say('showMore')}
          </Button>
        )}
      </Stack>
    </Card>
  );
}

const DID = {
  created: 'did_created',
  changed: 'did_changed',
  answered: 'did_answered',
  accepted: 'did_accepted',
  moved_up: 'did_moved_up',
  restored: 'did_restored',
  deleted: 'did_deleted',
  link_revoked: 'did_link_revoked',
  subscribed: 'did_subscribed',
  unsubscribed: 'did_unsubscribed',
  erased: 'did_erased',
  told: 'did_told',
  not_told: 'did_not_told',
  called: 'did_called',
} as const satisfies Record<string, keyof typeof words>;

const didOf = ({ action }: HistoryEntry) => (action in DID ? DID[action as keyof typeof DID] : 'did_other');

/** Labels of guest fields in the history. Fields without a label follow from other fields and are not shown. */
const FIELDS = {
  name: 'name',
  phone: 'phone',
  other_phones: 'other_phones',
  email: 'email',
  other_emails: 'other_emails',
  tags: 'tags',
  party_size: 'party',
  party_children: 'children',
  max_plus_ones: 'plusOnes',
  vegetarian: 'vegetarian',
  vegan: 'vegan',
  kosher: 'kosher',
  mehadrin: 'mehadrin',
  chalav_yisrael: 'chalav_yisrael',
  childrens_meals: 'childrens_meals',
  allergies: 'allergies',
  members: 'members',
  message: 'message',
  note: 'note',
  language: 'language',
  company: 'company',
  role: 'role',
  coming: 'coming',
  coming_children: 'childrenCome',
  over_limit: 'overLimit',
} as const satisfies Record<string, keyof typeof words>;

const NAMES = { hebrew: 'he', arabic: 'ar', english: 'en' } as const;

type Changes = NonNullable<HistoryEntry['changes']>;

function changeTexts({ changes }: HistoryEntry, say: Say<typeof words>, language: Language): string[] {
  if (!changes) return [];
  const fields = Object.entries(changes).flatMap(([name, { from, to }]) => {
    if (!(name in FIELDS)) return name === 'answers' ? [say('questions')] : [];
    const field = say(FIELDS[name as keyof typeof FIELDS]);
    const shown = (value: unknown) => shownValue(name, value, say, language);
    return from === undefined || from === null || from === ''
      ? [say('fieldSet', { field, to: shown(to) })]
      : [say('fromTo', { field, from: shown(from), to: shown(to) })];
  });
  return [...answerTold(changes, say), ...fields];
}

/** A guest's reply is stored in three fields and shown as one change. */
function answerTold(changes: Changes, say: Say<typeof words>): string[] {
  const { rsvp_status: status, maybe, waiting_since: since } = changes;
  if (!status && !maybe && !since) return [];
  const side = (which: 'from' | 'to') =>
    say(
      answerOf({
        rsvp_status: (status?.[which] ?? 'pending') as Guest['rsvp_status'],
        maybe: maybe?.[which] === true,
        waiting_since: (since?.[which] ?? null) as Guest['waiting_since'],
      }),
    );
  return [say('fromTo', { field: say('answer'), from: side('from'), to: side('to') })];
}

function shownValue(name: string, value: unknown, say: Say<typeof words>, language: Language): string {
  if (value === null || value === undefined || value === '') return say('empties');
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no');
  if (name === 'members') return membersText(value as Member[], undefined, language) || say('empties');
  if (Array.isArray(value)) {
    const list = new Intl.ListFormat(LANGUAGES[language].locale, { type: 'unit', style: 'short' });
    return value.length === 0 ? say('empties') : list.format(value.map(String));
  }
  const text = String(value);
  if (name === 'language' && text in NAMES) return LANGUAGES[NAMES[text as keyof typeof NAMES]].name;
  return text;
}
