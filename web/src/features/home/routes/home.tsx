import { Anchor, Box, Button, Container, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import {
  CalendarHeart,
  Globe,
  PartyPopper,
  Rocket,
  ScanSearch,
  ShieldCheck,
  UsersRound,
  WalletCards,
} from 'lucide-react';
import { Brand } from '../../../components/brand.tsx';
import { ButtonLink } from '../../../components/button-link.tsx';
import { Card } from '../../../components/card.tsx';
import { LanguageMenu } from '../../../components/language-menu.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { ProductPicture } from '../components/product-picture.tsx';
import { words } from '../words.ts';
import classes from './home.module.css';

/** Entries to the two areas of the console, each with what it does. */
const ENTRIES = [
  {
    icon: PartyPopper,
    title: 'planTitle',
    about: 'plan',
    action: 'start',
    to: '/today',
    parts: [
      { icon: UsersRound, title: 'guestsTitle', about: 'guests' },
      { icon: WalletCards, title: 'moneyTitle', about: 'money' },
      { icon: CalendarHeart, title: 'calendarTitle', about: 'calendar' },
    ],
  },
  {
    icon: Rocket,
    title: 'siteTitle',
    about: 'site',
    action: 'deploy',
    to: '/sites',
    parts: [
      { icon: ScanSearch, title: 'buildTitle', about: 'build' },
      { icon: ShieldCheck, title: 'switchTitle', about: 'switch' },
      { icon: Globe, title: 'domainTitle', about: 'domain' },
    ],
  },
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
            {/* A line breaks between the two sentences rather than within one. */}
            <span className={classes.sentence}>{say('headline')}</span>{' '}
            <span className={classes.sentence}>{say('headlineOfSites')}</span>
          </Title>
          <Text fz={{ base: 'md', sm: 'xl' }} maw={680} lh={1.6}>
            {say('lead')}
          </Text>
        </Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          {ENTRIES.map((entry) => (
            <EntryCard key={entry.to} {...entry} />
          ))}
        </SimpleGrid>
        <Box my={{ base: 'lg', sm: 'xl' }}>
          <ProductPicture />
        </Box>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          {ENTRIES.map(({ to, parts }) => (
            <Parts key={to} parts={parts} />
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

type Entry = (typeof ENTRIES)[number];

function EntryCard({ icon: Icon, title, about, action, to }: Entry) {
  const say = useWords(words);
  return (
    <Card p={{ base: 'lg', sm: 'xl' }}>
      <Stack align="flex-start" gap="sm" h="100%">
        <Icon size={36} strokeWidth={1.6} color="var(--mantine-primary-color-filled)" aria-hidden />
        <Title order={2}>{say(title)}</Title>
        <Text lh={1.6}>{say(about)}</Text>
        <ButtonLink to="/sign-in" search={{ to }} size="lg" radius="xl" mt="auto">
          {say(action)}
        </ButtonLink>
      </Stack>
    </Card>
  );
}

/** What an area of the console does, in a few sentences. */
function Parts({ parts }: Pick<Entry, 'parts'>) {
  const say = useWords(words);
  return (
    <Stack gap="lg" p={{ base: 'sm', sm: 'xl' }}>
      {parts.map(({ icon: Icon, title, about }) => (
        <Group key={title} wrap="nowrap" align="flex-start" gap="md">
          <Icon size={26} color="var(--mantine-primary-color-filled)" aria-hidden className={classes.icon} />
          <div>
            <Title order={3} size="h5" mb={2}>
              {say(title)}
            </Title>
            <Text c="dimmed" lh={1.5}>
              {say(about)}
            </Text>
          </div>
        </Group>
      ))}
    </Stack>
  );
}
