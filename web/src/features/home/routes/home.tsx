import { Anchor, Button, Container, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CalendarHeart, PartyPopper, Rocket, UsersRound, WalletCards } from 'lucide-react';
import { Brand } from '../../../components/brand.tsx';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { LanguageMenu } from '../../../components/language-menu.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';

/** Entries to the two areas of the console. */
const ENTRIES = [
  { icon: PartyPopper, title: 'planTitle', about: 'plan', action: 'start', to: '/today' },
  { icon: Rocket, title: 'siteTitle', about: 'site', action: 'deploy', to: '/sites' },
] as const;

const PARTS = [
  { icon: UsersRound, title: 'guestsTitle', about: 'guests' },
  { icon: WalletCards, title: 'moneyTitle', about: 'money' },
  { icon: CalendarHeart, title: 'calendarTitle', about: 'calendar' },
] as const;

/** Home page `/` for visitors who are not signed in. */
export function Home() {
  const say = useWords(words);
  return (
    <Container size="lg" py="md">
      <Group component="header" justify="space-between" wrap="nowrap">
        <Brand />
        <Group gap={4} wrap="nowrap">
          <LanguageMenu />
          <Button component={Link} to="/sign-in" variant="subtle" visibleFrom="xs">
            {say('signIn')}
          </Button>
        </Group>
      </Group>
      <main>
        <Stack align="center" ta="center" gap="lg" py={{ base: 36, sm: 64 }}>
          <Title
            order={1}
            fz={{ base: 36, sm: 56 }}
            lh={1.15}
            c="var(--mantine-primary-color-filled)"
            textWrap="balance"
          >
            {say('headline')}
          </Title>
          <Text fz={{ base: 'md', sm: 'xl' }} maw={680} lh={1.6}>
            {say('lead')}
          </Text>
        </Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" mb="xl">
          {ENTRIES.map(({ icon: Icon, title, about, action, to }) => (
            <Card key={to} p={{ base: 'lg', sm: 'xl' }}>
              <Stack h="100%" align="flex-start" gap="sm">
                <Icon size={36} strokeWidth={1.6} color="var(--mantine-primary-color-filled)" aria-hidden />
                <Title order={2} size="h2">
                  {say(title)}
                </Title>
                <Text lh={1.6}>{say(about)}</Text>
                <ButtonLink to="/sign-in" search={{ to }} size="lg" radius="xl" mt="auto">
                  {say(action)}
                </ButtonLink>
              </Stack>
            </Card>
          ))}
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg">
          {PARTS.map(({ icon: Icon, title, about }) => (
            <Card key={title}>
              <Icon size={28} color="var(--mantine-primary-color-filled)" aria-hidden />
              <Title order={2} size="h4" mt="sm" mb={6}>
                {say(title)}
              </Title>
              <Text c="dimmed" lh={1.6}>
                {say(about)}
              </Text>
            </Card>
          ))}
        </SimpleGrid>
      </main>
      <Group component="footer" justify="center" py={48}>
        <Anchor component={Link} to="/docs">
          {say('reference')}
        </Anchor>
      </Group>
    </Container>
  );
}
