import { ActionIcon, Anchor, Box, Container, Group, Menu, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Link, Outlet, useLocation, useMatch } from '@tanstack/react-router';
import { BookOpen, CircleUserRound, Contact, LogOut, PartyPopper, Search, Settings, Sun } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Brand } from '../components/brand.tsx';
import { LanguageMenu } from '../components/language-menu.tsx';
import { OfflineBar } from '../components/offline-bar.tsx';
import { Tab, TabBar } from '../components/tab-bar.tsx';
import { useSession, useSignOut } from '../features/sign-in/api/session.ts';
import { useWords } from '../lib/language-context.tsx';
import classes from './frame.module.css';
import { useReconnect } from './reconnect.ts';
import { SignedOut } from './signed-out.tsx';
import { words } from './words.ts';

/** Command palette, whose code is loaded when the user first opens it. */
const Palette = lazy(async () => ({
  default: (await import('../features/palette/components/palette.tsx')).Palette,
}));

const PAGES = [
  { to: '/today', name: 'today', icon: Sun },
  { to: '/events', name: 'events', icon: PartyPopper },
  { to: '/vendors', name: 'vendors', icon: Contact },
] as const;
const SETTINGS = { to: '/settings', name: 'settings', icon: Settings } as const;

/** Frame around the console's pages for signed-in users. */
export function Frame() {
  const say = useWords(words);
  const session = useSession();
  useReconnect();
  const [isAsked, setAsked] = useState(false);
  const [wasAsked, setWasAsked] = useState(false);
  const ask = () => {
    setWasAsked(true);
    setAsked(true);
  };
  useHotkeys([['mod+K', ask]], []);
  // An event's pages have their own navigation, and the skip link leads below it.
  const isInEvent = useMatch({
    from: '/inside/events/$eventId',
    shouldThrow: false,
    select: ({ status }) => status === 'pending' || status === 'success',
  });
  if (!session) return <SignedOut />;
  return (
    <>
      <Anchor href="#content" className={classes.skip}>
        {say('skip')}
      </Anchor>
      <Box component="header" className={classes.header}>
        <Container size="lg" h="100%">
          <Group justify="space-between" h="100%" wrap="nowrap">
            <Group gap="lg" wrap="nowrap" h="100%">
              <Link to="/today" className="plain-link" aria-label={`Simcha: ${say('today')}`}>
                <Brand />
              </Link>
              <Group
                component="nav"
                aria-label={say('pages')}
                gap={0}
                wrap="nowrap"
                h="100%"
                visibleFrom="sm"
              >
                {PAGES.map(({ to, name }) => (
                  <Link key={to} to={to} className={classes.page}>
                    {say(name)}
                  </Link>
                ))}
              </Group>
            </Group>
            <Group gap={4} wrap="nowrap">
              <ActionIcon
                aria-label={say('goTo')}
                aria-keyshortcuts="Control+K Meta+K"
                color="gray"
                c="var(--mantine-color-text)"
                onClick={ask}
              >
                <Search size={22} aria-hidden />
              </ActionIcon>
              <LanguageMenu />
              <AccountMenu email={session.user.email} />
            </Group>
          </Group>
        </Container>
      </Box>
      <OfflineBar />
      <Suspense>{wasAsked && <Palette opened={isAsked} onClose={() => setAsked(false)} />}</Suspense>
      <Container
        size="lg"
        component="main"
        {...(!isInEvent && { id: 'content', tabIndex: -1 })}
        className={classes.content}
      >
        <Outlet />
      </Container>
      {!isInEvent && <PageTabs />}
    </>
  );
}

/** Bar at the bottom of a phone with the pages that the header has on wider screens. */
function PageTabs() {
  const say = useWords(words);
  const { pathname } = useLocation();
  return (
    <TabBar label={say('pages')} isForPhone>
      {[...PAGES, SETTINGS].map(({ to, name, icon }) => (
        <Tab key={to} to={to} icon={icon} isOpen={pathname.startsWith(to)}>
          {say(name)}
        </Tab>
      ))}
    </TabBar>
  );
}

function AccountMenu({ email }: { email: string }) {
  const say = useWords(words);
  const signOut = useSignOut();
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={say('account')} color="gray" c="var(--mantine-color-text)">
          <CircleUserRound size={24} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown maw={300}>
        <Menu.Label>
          <Text size="sm" truncate component="bdi">
            {email}
          </Text>
        </Menu.Label>
        {PAGES.map(({ to, name, icon: Icon }) => (
          <Menu.Item
            key={to}
            component={Link}
            to={to}
            hiddenFrom="sm"
            leftSection={<Icon size={18} aria-hidden />}
          >
            {say(name)}
          </Menu.Item>
        ))}
        <Menu.Item component={Link} to="/settings" leftSection={<Settings size={18} aria-hidden />}>
          {say('settings')}
        </Menu.Item>
        <Menu.Item component={Link} to="/docs" leftSection={<BookOpen size={18} aria-hidden />}>
          {say('reference')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<LogOut size={18} className="turns" aria-hidden />}
          onClick={() => signOut.mutate()}
        >
          {say('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
