import { SegmentedControl, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { NotificationSettings, NotificationSettingsChanges } from 'simcha-client';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { LANGUAGES } from '../../../lib/languages.ts';
import { notificationsQuery, useUpdateNotifications } from '../api/notifications.ts';
import { words } from '../words.ts';

/** Card with the mails about the user's sites: a switch for each kind, and their language. */
export function SiteMailsCard() {
  const say = useWords(words);
  const { data: settings, error, refetch } = useQuery(notificationsQuery);
  return (
    <Card title={say('siteMails')}>
      <Stack gap="md">
        <Text c="dimmed">{say('siteMailsAbout')}</Text>
        <ProblemNote error={error} onRetry={() => refetch()} />
        {!settings && !error && <Skeleton height={120} />}
        {settings && <Switches settings={settings} />}
      </Stack>
    </Card>
  );
}

function Switches({ settings }: { settings: NotificationSettings }) {
  const say = useWords(words);
  const update = useUpdateNotifications();
  // Each switch moves at once, and back if the server refuses the change.
  const [requested, setRequested] = useState<NotificationSettingsChanges>({});
  const shown = { ...settings, ...requested };
  const decide = (changed: NotificationSettingsChanges) => {
    setRequested(changed);
    update.mutate(changed, { onSettled: () => setRequested({}) });
  };
  return (
    <>
      <ProblemNote error={update.error} />
      {(['deployment_failed', 'site_down', 'site_up'] as const).map((name) => (
        <Switch
          key={name}
          size="md"
          label={say(name)}
          checked={shown[name]}
          onChange={({ currentTarget }) => decide({ [name]: currentTarget.checked })}
        />
      ))}
      <div>
        <Text fw={500} mb={6} id="mail-language">
          {say('mailLanguage')}
        </Text>
        <SegmentedControl
          aria-labelledby="mail-language"
          fullWidth
          value={shown.language}
          onChange={(value) => decide({ language: value as NotificationSettings['language'] })}
          data={Object.entries(LANGUAGES).map(([value, { name }]) => ({ value, label: name }))}
        />
      </div>
    </>
  );
}
