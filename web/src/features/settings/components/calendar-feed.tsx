import { Button, Divider, Group, SegmentedControl, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CalendarPlus } from 'lucide-react';
import { useState } from 'react';
import type { CalendarFeed, CalendarFeedChanges } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { ShareLink } from '../../../components/share-link.tsx';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { CODE_OF, LANGUAGE_NAMES, LANGUAGES } from '../../../lib/languages.ts';
import { feedQuery, useEndAddress, useOpenFeed } from '../api/feed.ts';
import { words } from '../words.ts';

/** Card for the user's calendar feed, which contains all events of the user. */
export function CalendarFeedCard() {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data: feed, error, refetch } = useQuery(feedQuery);
  const open = useOpenFeed();
  const languageName = LANGUAGE_NAMES.find((name) => CODE_OF[name] === language) ?? 'hebrew';
  return (
    <Card title={say('calendar')}>
      <Stack gap="md">
        <Text c="dimmed">{say('calendarAbout')}</Text>
        <ProblemNote error={error ?? open.error} onRetry={error ? () => refetch() : undefined} />
        {!feed && !error && <Skeleton height={44} />}
        {feed?.url === null && (
          <Group>
            <Button
              leftSection={<CalendarPlus size={18} aria-hidden />}
              loading={open.isPending}
              onClick={() => open.mutate({ language: languageName })}
            >
              {say('openCalendar')}
            </Button>
          </Group>
        )}
        {feed?.url && <OpenFeed feed={feed} url={feed.url} />}
      </Stack>
    </Card>
  );
}

function OpenFeed({ feed, url }: { feed: CalendarFeed; url: string }) {
  const say = useWords(words);
  const notify = useNotify();
  const change = useOpenFeed();
  const another = useEndAddress();
  const close = useEndAddress();
  // The `webcal:` scheme makes the device open its calendar instead of its browser.
  const webcal = url.replace(/^https?:/, 'webcal:');
  // Each switch moves at once, and back if the server refuses the change.
  const [requested, setRequested] = useState<CalendarFeedChanges>({});
  const shown = { ...feed, ...requested };
  const decide = (changed: CalendarFeedChanges) => {
    setRequested(changed);
    change.mutate(changed, { onSettled: () => setRequested({}) });
  };
  return (
    <>
      <ShareLink label={say('calendarLink')} url={url} qrLabel={say('calendarQr')} qrUrl={webcal}>
        <Button component="a" href={webcal} leftSection={<CalendarPlus size={18} aria-hidden />}>
          {say('addHere')}
        </Button>
      </ShareLink>
      <Text size="sm" c="dimmed">
        {say('calendarHow')}
      </Text>
      <ProblemNote error={change.error} />
      {(['payments', 'approvals'] as const).map((name) => (
        <Switch
          key={name}
          size="md"
          label={say(name)}
          description={say(`${name}About`)}
          checked={shown[name] ?? false}
          onChange={({ currentTarget }) => decide({ [name]: currentTarget.checked })}
        />
      ))}
      <div>
        <Text fw={500} mb={6} id="calendar-language">
          {say('calendarLanguage')}
        </Text>
        <SegmentedControl
          aria-labelledby="calendar-language"
          fullWidth
          value={shown.language ?? feed.language}
          onChange={(value) => decide({ language: value as CalendarFeed['language'] })}
          data={LANGUAGE_NAMES.map((value) => ({ value, label: LANGUAGES[CODE_OF[value]].name }))}
        />
      </div>
      <Divider />
      <Text size="sm" c="dimmed">
        {say('calendarSecret')}
      </Text>
      <ConfirmButton
        key={url}
        label={say('anotherAddress')}
        keep={say('keepAddress')}
        about={say('anotherAddressAbout')}
        error={another.error}
        isPending={another.isPending}
        onConfirm={() => another.mutate('another', { onSuccess: () => notify(say('addressOther')) })}
      />
      <ConfirmButton
        label={say('closeCalendar')}
        keep={say('keepAddress')}
        about={say('closeCalendarAbout')}
        error={close.error}
        isPending={close.isPending}
        onConfirm={() => close.mutate('none', { onSuccess: () => notify(say('calendarClosed')) })}
      />
    </>
  );
}
