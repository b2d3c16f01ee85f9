import { Anchor, List, SegmentedControl, Stack, Text } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { useWords } from '../../../lib/language-context.tsx';
import { HOST_TERMS, REPOSITORY_HOSTS, type RepositoryHost, webPageOf } from '../api/repository-hosts.ts';
import { words } from '../words.ts';
import classes from './host-steps.module.css';

interface HostStepsProps {
  host: RepositoryHost;
  onHost(host: RepositoryHost): void;
  repository: string;
  /** Page of the host for this purpose: its path below the repository, and the menu that leads there. */
  page: { path: string; menu: string };
  /** Steps on that page. */
  steps: readonly ReactNode[];
}

/** Steps to take at the host of a repository, for the host that the user chooses. */
export function HostSteps({ host, onHost, repository, page, steps }: HostStepsProps) {
  const say = useWords(words);
  const web = webPageOf(repository);
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={say('host')}
        value={host}
        className={classes.choice}
        onChange={(value) => onHost(value as RepositoryHost)}
        data={REPOSITORY_HOSTS.map((value) => ({ value, label: HOST_TERMS[value].name }))}
      />
      <List type="ordered" spacing={6}>
        <List.Item>
          {say('openPage', { menu: page.menu })}
          {web && (
            <>
              {' · '}
              <Anchor href={web + page.path} target="_blank" rel="noreferrer">
                {say('openHere', { host: HOST_TERMS[host].name })}{' '}
                <ExternalLink size={14} aria-hidden style={{ verticalAlign: '-1px' }} />
              </Anchor>
            </>
          )}
        </List.Item>
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the steps is fixed
          <List.Item key={index}>
            <Text component="span">{step}</Text>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
