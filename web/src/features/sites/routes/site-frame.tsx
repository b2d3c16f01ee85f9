import { Group, Stack, Text, Title } from '@mantine/core';
import { Outlet, useLocation } from '@tanstack/react-router';
import { RoleCheck } from '../../../components/for-role.tsx';
import { ToneBadge } from '../../../components/tone-badge.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words as roleWords } from '../api/role-words.ts';
import { hasRole } from '../api/roles.ts';
import { words as sectionWords } from '../api/section-words.ts';
import { openSectionOf } from '../api/sections.ts';
import { useSite } from '../api/sites.ts';
import { words as stateWords } from '../api/state-words.ts';
import { toneOf } from '../api/states.ts';
import { SiteAddress } from '../components/site-address.tsx';
import { SiteSections } from '../components/site-sections.tsx';
import classes from './site-frame.module.css';

/** Frame around the pages of a site, with its name, its state, its address and the navigation to its sections. */
export function SiteFrame() {
  const sayName = useWords(sectionWords);
  const sayState = useWords(stateWords);
  const sayPeople = useWords(roleWords);
  const { name, site } = useSite();
  const { pathname } = useLocation();
  const { group, section } = openSectionOf(
    pathname
      .split('/')
      .slice(3)
      .map((part) => `/${part}`)
      .join(''),
  );
  return (
    <Stack gap="lg">
      <title>{[...(section.exact ? [] : [sayName(section.name)]), site.name, 'Simcha'].join(' · ')}</title>
      <div>
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <Title order={1} size="h2" className={classes.title}>
            <bdi>{site.name}</bdi>
          </Title>
          <ToneBadge tone={toneOf(site.status)}>{sayState(site.status)}</ToneBadge>
        </Group>
        <SiteAddress address={site.domain} />
        {site.role !== 'owner' && (
          <Text size="sm" c="dimmed">
            {sayPeople('yourRole', { role: sayPeople(site.role) })} · <bdi dir="ltr">{site.owner}</bdi>
          </Text>
        )}
      </div>
      <SiteSections name={name} openGroup={group} />
      {/* Target of the link that skips the navigation. */}
      <div id="content" tabIndex={-1} className={classes.content}>
        <RoleCheck value={(required) => hasRole(site, required)}>
          <Outlet />
        </RoleCheck>
      </div>
    </Stack>
  );
}
