import {
  Badge,
  Button,
  Container,
  Group,
  Radio,
  Skeleton,
  Stack,
  Text,
  useMantineColorScheme,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, MonitorSmartphone, Webhook } from 'lucide-react';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { useChangeLanguage } from '../../../components/language-menu.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { dateAndTime } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { LANGUAGES, type Language } from '../../../lib/languages.ts';
import { sessionsQuery, useEndSessions } from '../api/sessions.ts';
import { browserOf } from '../components/browser.ts';
import { CalendarFeedCard } from '../components/calendar-feed.tsx';
import { SiteMailsCard } from '../components/site-mails.tsx';
import { words } from '../words.ts';

const SCHEMES = ['auto', 'light', 'dark'] as const;

/** Page with the user's own settings, which do not depend on an event. */
export function Settings() {
  const say = useWords(words);
  const { language } = useLanguage();
  const change = useChangeLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Container size="sm" p={0}>
      <Stack gap="lg">
        <PageHead title={say('title')} />
        <Card title={say('language')}>
          <Radio.Group
            value={language}
            onChange={(code) => change(code as Language)}
            aria-label={say('language')}
          >
            <Group gap="lg">
              {Object.entries(LANGUAGES).map(([code, { name }]) => (
                <Radio key={code} value={code} label={<span lang={code}>{name}</span>} />
              ))}
            </Group>
          </Radio.Group>
        </Card>
        <Card title={say('look')}>
          <Radio.Group
            value={colorScheme}
            onChange={(scheme) => setColorScheme(scheme as (typeof SCHEMES)[number])}
            aria-label={say('look')}
          >
            <Group gap="lg">
              {SCHEMES.map((scheme) => (
                <Radio key={scheme} value={scheme} label={say(scheme)} />
              ))}
            </Group>
          </Radio.Group>
        </Card>
        <CalendarFeedCard />
        <SiteMailsCard />
        <SignIns />
        <Card title={say('tokens')}>
          <Stack gap="md" align="flex-start">
            <Text c="dimmed">{say('tokensAbout')}</Text>
            <ButtonLink
              to="/settings/tokens"
              variant="default"
              leftSection={<KeyRound size={18} aria-hidden />}
            >
              {say('openTokens')}
            </ButtonLink>
          </Stack>
        </Card>
        <Card title={say('webhooks')}>
          <Stack gap="md" align="flex-start">
            <Text c="dimmed">{say('webhooksAbout')}</Text>
            <ButtonLink
              to="/settings/webhooks"
              variant="default"
              leftSection={<Webhook size={18} aria-hidden />}
            >
              {say('openWebhooks')}
            </ButtonLink>
          </Stack>
        </Card>
      </Stack>
    </Container>
  );
}

function SignIns() {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data: sessions, error, refetch } = useQuery(sessionsQuery);
  const end = useEndSessions();
  const nameOf = (userAgent: string | null) => {
    const browser = browserOf(userAgent ?? '');
    return browser ? say('browserOn', browser) : say('unknown');
  };
  return (
    <Card title={say('signIns')}>
      <Stack gap="md">
        <Text c="dimmed">{say('signInsAbout')}</Text>
        <ProblemNote error={error ?? end.error} onRetry={() => refetch()} />
        {!sessions && !error && <Skeleton height={72} />}
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {sessions?.map(({ id, user_agent: agent, address, seen_at: seen, current }) => (
            <Group key={id} component="li" wrap="nowrap" gap="sm" align="flex-start">
              <MonitorSmartphone size={22} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
              <div style={{ flex: 1, minWidth: 0 }}>
                <Group gap={8}>
                  <Text fw={500}>{nameOf(agent)}</Text>
                  {current && (
                    <Badge tt="none" fw={500} bg="var(--simcha-good)" c="var(--simcha-good-ink)">
                      {say('here')}
                    </Badge>
                  )}
                </Group>
                <Text size="sm" c="dimmed">
                  {say('lastUsed', { when: dateAndTime(seen, language) })} · {say('from', { address })}
                </Text>
              </div>
              {!current && (
                <Button
                  variant="default"
                  size="sm"
                  aria-label={say('endNamed', { what: nameOf(agent) })}
                  loading={end.isPending && end.variables === id}
                  onClick={() => end.mutate(id)}
                >
                  {say('end')}
                </Button>
              )}
            </Group>
          ))}
        </Stack>
        {sessions && sessions.length > 1 && (
          <Group>
            <Button
              variant="default"
              loading={end.isPending && end.variables === 'others'}
              onClick={() => end.mutate('others')}
            >
              {say('endOthers')}
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  );
}
