import { Anchor, List, SegmentedControl, Stack, Text } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useWords } from '../../lib/language-context.tsx';
import {
  HOST_TERMS,
  hostOf,
  REPOSITORY_HOSTS,
  type RepositoryHost,
  webPageOf,
} from '../../lib/repository-hosts.ts';
import classes from './host-steps.module.css';
import { words } from './words.ts';

/** Steps that add a deploy key at the host of a repository. */
export function KeySteps({ repository }: { repository: string }) {
  const say = useWords(words);
  const [host, setHost] = useState(hostOf(repository));
  const { keys } = HOST_TERMS[host];
  return (
    <HostSteps
      host={host}
      onHost={setHost}
      repository={repository}
      page={keys}
      steps={[say('pasteKey', { button: keys.button }), say('readOnly', { option: keys.option })]}
    />
  );
}

interface HookStepsProps {
  repository: string;
  /** True if pull requests and other branches have previews, which needs more events. */
  hasPreviews: boolean;
}

/** Steps that add a push hook at the host of a repository. */
export function HookSteps({ repository, hasPreviews }: HookStepsProps) {
  const say = useWords(words);
  const [host, setHost] = useState(hostOf(repository));
  const { hooks } = HOST_TERMS[host];
  return (
    <HostSteps
      host={host}
      onHost={setHost}
      repository={repository}
      page={hooks}
      steps={[
        say('pressHook', { button: hooks.button }),
        say('enterBoth', { address: hooks.address, secret: hooks.secret }),
        ...(hooks.type ? [say('chooseType', { type: hooks.type })] : []),
        say('chooseEvents', { events: hasPreviews ? hooks.previewEvents : hooks.events }),
      ]}
    />
  );
}

interface HostStepsProps {
  host: RepositoryHost;
  onHost(host: RepositoryHost): void;
  repository: string;
  /** Page of the host for this purpose: its path below the repository, and the menu that leads there. */
  page: { path: string; menu: string };
  /** Steps on that page. */
  steps: readonly string[];
}

/** Steps to take at the host of a repository, for the host that the user chooses. */
function HostSteps({ host, onHost, repository, page, steps }: HostStepsProps) {
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
        {steps.map((step) => (
          <List.Item key={step}>
            <Text component="span">{step}</Text>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
