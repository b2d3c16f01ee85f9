import { ActionIcon, Anchor, Box, Container, Group, Menu, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Link, Outlet, useLocation, useMatch } from '@tanstack/react-router';
import { BookOpen, CircleUserRound, Gauge, LogOut, Search, Settings } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Brand } from '../components/brand.tsx';
import { LanguageMenu } from '../components/language-menu.tsx';
import { OfflineBar } from '../components/offline-bar.tsx';
import { Tab, TabBar } from '../components/tab-bar.tsx';
import { useSession, useSignOut } from '../features/sign-in/api/session.ts';
import { useWords } from '../lib/language-context.tsx';
import { AREA_NAMES, AREAS, type Area, areaOf, lastArea, lastPlaceIn, storePlace } from './areas.ts';
import classes from './frame.module.css';
import { useReconnect } from './reconnect.ts';
import { SignedOut } from './signed-out.tsx';
import { words } from './words.ts';

/** Command palette, whose code is loaded when the user first opens it. */
const Palette = lazy(async () => ({
  default: (await import('../features/palette/components/palette.tsx')).Palette,
}));

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
  const { area, pathname } = useArea();
  // The pages of an event or a site have their own navigation, and the skip link leads below it.
  const isInEvent = useIsWithin('/inside/events/$eventId');
  const isInSite = useIsWithin('/inside/sites/$name');
  const hasOwnNavigation = isInEvent || isInSite;
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
              <Link
                to={AREAS[area].home}
                className="plain-link"
                aria-label={`Simcha: ${say(AREAS[area].pages[0].name)}`}
              >
                <Brand />
              </Link>
              <AreaSwitch area={area} />
              <Group
                component="nav"
                aria-label={say('pages')}
                gap={0}
                wrap="nowrap"
                h="100%"
                visibleFrom="sm"
              >
                {AREAS[area].pages.map(({ to, name }) => (
                  <Link key={to} to={to} activeOptions={{ exact: to === '/sites' }} className={classes.page}>
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
              <AccountMenu email={session.user.email} isOperator={session.operator} area={area} />
            </Group>
          </Group>
        </Container>
      </Box>
      <OfflineBar />
      <Suspense>{wasAsked && <Palette opened={isAsked} onClose={() => setAsked(false)} />}</Suspense>
      <Container
        size="lg"
        component="main"
        {...(!hasOwnNavigation && { id: 'content', tabIndex: -1 })}
        className={classes.content}
      >
        <Outlet />
      </Container>
      {!hasOwnNavigation && <PageTabs area={area} pathname={pathname} />}
    </>
  );
}

/** Area of the open page; pages of both areas count to the area where the user was before. */
function useArea(): { area: Area; pathname: string } {
  const { pathname } = useLocation();
  useEffect(() => storePlace(pathname), [pathname]);
  return { area: areaOf(pathname) ?? lastArea(), pathname };
}

const useIsWithin = (from: '/inside/events/$eventId' | '/inside/sites/$name') =>
  useMatch({
    from,
    shouldThrow: false,
    select: ({ status }) => status === 'pending' || status === 'success',
  });

/** Switch between the console's two areas, in the header of wide screens. */
function AreaSwitch({ area }: { area: Area }) {
  const say = useWords(words);
  return (
    <Group
      component="nav"
      aria-label={say('areas')}
      gap={2}
      wrap="nowrap"
      visibleFrom="sm"
      className={classes.areas}
    >
      {AREA_NAMES.map((name) => (
        <Link
          key={name}
          to={name === area ? AREAS[name].home : lastPlaceIn(name)}
          className={classes.area}
          activeProps={{ 'aria-current': undefined }}
          aria-current={name === area ? 'true' : undefined}
        >
          {say(name)}
        </Link>
      ))}
    </Group>
  );
}

const otherThan = (area: Area): Area => (area === 'planning' ? 'sites' : 'planning');

/** Bar at the bottom of a phone with the pages that the header has on wider screens, and the way to the other area. */
function PageTabs({ area, pathname }: { area: Area; pathname: string }) {
  const say = useWords(words);
  const other = otherThan(area);
  const pages = [...AREAS[area].pages, SETTINGS];
  // The path of a list is the beginning of the paths of its other pages, such as `/sites/new`.
  const open = pages.filter(({ to }) => pathname.startsWith(to)).at(-1);
  return (
    <TabBar label={say('pages')} isForPhone>
      {AREAS[area].pages.map(({ to, name, icon }) => (
        <Tab key={to} to={to} icon={icon} isOpen={to === open?.to}>
          {say(name)}
        </Tab>
      ))}
      <Tab to={lastPlaceIn(other)} icon={AREAS[other].icon} isOpen={false}>
        {say(other)}
      </Tab>
      <Tab to={SETTINGS.to} icon={SETTINGS.icon} isOpen={open?.to === SETTINGS.to}>
        {say(SETTINGS.name)}
      </Tab>
    </TabBar>
  );
}

interface AccountMenuProps {
  email: string;
  isOperator: boolean;
  area: Area;
}

function AccountMenu({ email, isOperator, area }: AccountMenuProps) {
  const say = useWords(words);
  const other = otherThan(area);
  const OtherIcon = AREAS[other].icon;
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
        {AREAS[area].pages.map(({ to, name, icon: Icon }) => (
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
        <Menu.Item
          component={Link}
          to={lastPlaceIn(other)}
          hiddenFrom="sm"
          leftSection={<OtherIcon size={18} aria-hidden />}
        >
          {say(other)}
        </Menu.Item>
        <Menu.Item component={Link} to="/settings" leftSection={<Settings size={18} aria-hidden />}>
          {say('settings')}
        </Menu.Item>
        <Menu.Item component={Link} to="/docs" leftSection={<BookOpen size={18} aria-hidden />}>
          {say('reference')}
        </Menu.Item>
        {isOperator && (
          <Menu.Item component={Link} to="/operator" leftSection={<Gauge size={18} aria-hidden />}>
            {say('platform')}
          </Menu.Item>
        )}
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
