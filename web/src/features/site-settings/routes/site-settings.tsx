import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Application } from 'simcha-client';
import { PageHead } from '../../../components/page-head.tsx';
import { PendingChanges } from '../../../components/pending-changes.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { hasPendingChanges, useApplyChanges } from '../../sites/api/pending-changes.ts';
import { hasRole } from '../../sites/api/roles.ts';
import { useSite } from '../../sites/api/sites.ts';
import type { SettingName } from '../api/setting-values.ts';
import { planQuery } from '../api/settings.ts';
import { DangerZone } from '../components/danger-zone.tsx';
import { SettingsCard } from '../components/settings-card.tsx';
import { words } from '../words.ts';

/** Settings of a site's source, by its kind. */
const SOURCE_FIELDS = {
  repository: ['repository', 'branch', 'root', 'watch_paths'],
  upload: ['root'],
  image: ['image', 'registry_user', 'registry_password'],
} as const satisfies Record<Application['source'], readonly SettingName[]>;

/** Page with the settings of a site, a card for each subject. */
export function SiteSettings() {
  const say = useWords(words);
  const { name, site } = useSite();
  const { restart: _restart, ...apply } = useApplyChanges(name);
  const { data: forecast } = useQuery(planQuery(name));
  const plan = forecast?.plan;
  return (
    <Stack gap="lg">
      <PageHead order={2} title={say('title')} />
      {hasPendingChanges(site) && hasRole(site, 'deploy') && (
        <PendingChanges about={say('pending')} {...apply} />
      )}
      <SettingsCard title={say('general')} fields={['name', 'subdomain']} />
      <SettingsCard
        title={say('source')}
        {...(site.source === 'upload' && { about: say('uploaded') })}
        fields={SOURCE_FIELDS[site.source]}
        forecast={forecast}
      />
      <SettingsCard
        title={say(site.source === 'image' ? 'startTitle' : 'buildAndStart')}
        about={forecast?.reason ?? say(site.source === 'image' ? 'imageAbout' : 'buildAbout')}
        fields={site.source === 'image' ? ['start', 'port'] : buildFields(site.type ?? plan?.type)}
        forecast={forecast}
      />
      <SettingsCard title={say('runtime')} fields={['health_path', 'sticky', 'time_zone']} />
      <SettingsCard
        title={say('requests')}
        about={say('requestsAbout')}
        fields={['response_seconds', 'max_body_mb']}
      />
      <DangerZone />
    </Stack>
  );
}

/** Settings of the build that apply to a static site, to a server, or to either as long as that is not known. */
function buildFields(type: 'static' | 'server' | 'auto' | undefined): SettingName[] {
  return [
    'type',
    'node',
    'install',
    'build',
    ...(type === 'static' ? [] : (['start', 'port'] as const)),
    ...(type === 'server' ? [] : (['publish', 'spa'] as const)),
  ];
}
