import { NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { followAccessLines, followSiteLines, readProcesses } from 'simcha-client';
import { LogView } from '../../../components/log-view/log-view.tsx';
import { useLog } from '../../../components/log-view/use-log.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { client } from '../../../lib/api.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { siteKey, useSite } from '../../sites/api/sites.ts';
import { words } from '../words.ts';

const processNamesQuery = (name: string) =>
  queryOptions({
    queryKey: [...siteKey(name), 'process-names'],
    queryFn: async ({ signal }) =>
      (await readProcesses({ client, signal, path: { uuid: name } })).data.processes.map((one) => one.name),
  });

type Kind = 'output' | 'access';

/** Log of a running site, live: of its output, or of the requests to it. */
export function SiteLogs() {
  const say = useWords(words);
  const { name, site } = useSite();
  const [kind, setKind] = useState<Kind>('output');
  return (
    <Stack gap="md">
      <PageHead order={2} title={say('title')}>
        {site.status !== 'created' && (
          <SegmentedControl
            aria-label={say('which')}
            value={kind}
            onChange={(value) => setKind(value as Kind)}
            data={(['output', 'access'] as const).map((value) => ({ value, label: say(value) }))}
          />
        )}
      </PageHead>
      {site.status === 'created' ? (
        <Text c="dimmed">{say('notDeployed')}</Text>
      ) : kind === 'output' ? (
        <LiveLog key={name} name={name} isDeployed={site.deployed_at !== null} />
      ) : (
        <AccessLog key={name} name={name} />
      )}
    </Stack>
  );
}

function AccessLog({ name }: { name: string }) {
  const say = useWords(words);
  const log = useLog({
    key: `${name} access`,
    open: (following) => followAccessLines({ client, path: { uuid: name }, ...following }),
  });
  return (
    <>
      <Text c="dimmed">{say('aboutAccess')}</Text>
      <LogView log={log} fileName={`${name}-access.log`} empty={say('noRequests')} />
    </>
  );
}

function LiveLog({ name, isDeployed }: { name: string; isDeployed: boolean }) {
  const say = useWords(words);
  const [process, setProcess] = useState('');
  const { data: processes = [], isSuccess } = useQuery(processNamesQuery(name));
  const log = useLog({
    key: name,
    open: (following) =>
      followSiteLines({ client, path: { uuid: name }, query: { colors: true }, ...following }),
  });
  return (
    <>
      {isDeployed && isSuccess && processes.length === 0 && <Text c="dimmed">{say('isStatic')}</Text>}
      <LogView log={log} fileName={`${name}.log`} process={process || undefined}>
        {processes.length > 1 && (
          <NativeSelect
            size="sm"
            aria-label={say('process')}
            value={process}
            onChange={({ currentTarget }) => setProcess(currentTarget.value)}
            data={[{ value: '', label: say('all') }, ...processes]}
          />
        )}
      </LogView>
    </>
  );
}
