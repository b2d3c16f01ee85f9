import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Domain, isRegisteredDomain } from 'simcha-client';
import { CopyValue } from '../../../components/copy-value.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';
import classes from './dns-records.module.css';

interface DnsRecordsProps {
  domain: Domain;
  /** Host name that the server assigned to the site, to which an ALIAS record leads. */
  ours: string;
}

interface ShownRecord {
  type: string;
  name: string;
  value: string;
}

/** Records to set at the DNS provider of a domain, of which each part is copied by a click. */
export function DnsRecords({ domain, ours }: DnsRecordsProps) {
  const say = useWords(words);
  const { hostname, records } = domain;
  const [kind, setKind] = useState<'cname' | 'txt'>(isRegisteredDomain(hostname) ? 'txt' : 'cname');
  const shown: ShownRecord[] = records.filter(({ type }) => type === kind.toUpperCase());
  if (kind === 'txt') shown.push({ type: 'ALIAS', name: hostname, value: ours });
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Text fw={500}>{say('dnsTitle')}</Text>
        <SegmentedControl
          aria-label={say('kind')}
          size="sm"
          value={kind}
          onChange={(value) => setKind(value as typeof kind)}
          data={[
            { value: 'cname', label: say('cname') },
            { value: 'txt', label: say('txt') },
          ]}
        />
      </Group>
      <Text size="sm" c="dimmed">
        {say(`${kind}About`)}
      </Text>
      <div className={classes.records}>
        {shown.map(({ type, name, value }) => (
          <dl key={type} className={classes.record}>
            <div>
              <dt>{say('type')}</dt>
              <dd className={classes.type}>{type}</dd>
            </div>
            <div>
              <dt>{say('name')}</dt>
              <dd>
                <CopyValue value={name} label={say('copyName')} />
              </dd>
            </div>
            <div>
              <dt>{say('value')}</dt>
              <dd>
                <CopyValue value={value} label={say('copyValue')} />
              </dd>
            </div>
          </dl>
        ))}
      </div>
    </Stack>
  );
}
