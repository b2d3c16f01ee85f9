import { Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { noticesQuery, useSwitchNotices } from '../api/notices.ts';
import { words } from '../words.ts';

/** Names of the automatic messages. All of them go to guests except `digest`, which goes to the organizer. */
const NOTICES = ['moved_up', 'accepted', 'declined', 'answered', 'day_before', 'digest'] as const;

/** List of the automatic messages of an event, each with a switch. */
export function Notices({ eventId, mayEdit }: { eventId: string; mayEdit: boolean }) {
  const say = useWords(words);
  const { data: notices, error, refetch } = useQuery(noticesQuery(eventId));
  return (
    <Card title={say('automaticMessages')}>
      <Stack gap="md">
        <Text c="dimmed">{say('automaticMessagesAbout')}</Text>
        {error && <ProblemNote error={error} onRetry={() => refetch()} />}
        {!notices && !error && <Skeleton height={280} />}
        {notices &&
          NOTICES.map((name) => (
            <NoticeSwitch key={name} eventId={eventId} name={name} isOn={notices[name]} mayEdit={mayEdit} />
          ))}
      </Stack>
    </Card>
  );
}

interface NoticeSwitchProps {
  eventId: string;
  name: (typeof NOTICES)[number];
  isOn: boolean;
  mayEdit: boolean;
}

/** Switch of an automatic message. It moves at once, and back if the server refuses the change. */
function NoticeSwitch({ eventId, name, isOn, mayEdit }: NoticeSwitchProps) {
  const say = useWords(words);
  const change = useSwitchNotices(eventId);
  const [requested, setRequested] = useState<boolean>();
  return (
    <>
      <Switch
        size="md"
        mih={44}
        label={say(`notice_${name}`)}
        description={say(`notice_${name}_about`)}
        checked={requested ?? isOn}
        disabled={!mayEdit}
        onChange={({ currentTarget: { checked } }) => {
          setRequested(checked);
          change.mutate({ [name]: checked }, { onSettled: () => setRequested(undefined) });
        }}
      />
      <ProblemNote error={change.error} />
    </>
  );
}
