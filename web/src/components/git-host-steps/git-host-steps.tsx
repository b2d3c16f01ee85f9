import { Button, Group, List, SegmentedControl, Stack, Text } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { GIT_HOST_NAMES, GIT_HOSTS, type GitHost, gitHostOf, hostPage } from '../../lib/git-hosts.ts';
import { useWords } from '../../lib/language-context.tsx';
import { CopyText } from '../copy-text.tsx';
import classes from './git-host-steps.module.css';
import { hookSteps, keySteps } from './steps.ts';
import { words } from './words.ts';

interface KeyStepsProps {
  /** Address of the repository. */
  repository: string;
  /** Public key, in the format of OpenSSH. */
  deployKey: string;
}

/** Deploy key of a site, and the exact steps that add it at the repository's host. */
export function KeySteps({ repository, deployKey }: KeyStepsProps) {
  const say = useWords(words);
  const [host, setHost] = useState<GitHost>(gitHostOf(repository) ?? 'github');
  return (
    <Stack gap="md">
      <CopyField label={say('key')} value={deployKey} />
      <HostChoice host={host} onChange={setHost} />
      <Steps steps={keySteps(host, say)} host={host} page={hostPage(repository, host, 'key')} />
    </Stack>
  );
}

interface HookStepsProps {
  repository: string;
  url: string;
  secret: string;
}

/** Address and secret of a site's push hook, and the exact steps that add it at the repository's host. */
export function HookSteps({ repository, url, secret }: HookStepsProps) {
  const say = useWords(words);
  const [host, setHost] = useState<GitHost>(gitHostOf(repository) ?? 'github');
  return (
    <Stack gap="md">
      <CopyField label={say('url')} value={url} />
      <CopyField label={say('secret')} value={secret} />
      <HostChoice host={host} onChange={setHost} />
      <Steps steps={hookSteps(host, say)} host={host} page={hostPage(repository, host, 'hook')} />
    </Stack>
  );
}

/** Text to copy, with its name. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const say = useWords(words);
  return (
    <div>
      <Text fw={500} size="sm" mb={4}>
        {label}
      </Text>
      <Group gap="xs" wrap="nowrap" align="stretch">
        <code dir="ltr" className={classes.value}>
          {value}
        </code>
        <CopyText text={value} label={say('copy')} />
      </Group>
    </div>
  );
}

function HostChoice({ host, onChange }: { host: GitHost; onChange(host: GitHost): void }) {
  const say = useWords(words);
  return (
    <SegmentedControl
      aria-label={say('host')}
      value={host}
      onChange={(value) => onChange(value as GitHost)}
      data={GIT_HOSTS.map((value) => ({ value, label: GIT_HOST_NAMES[value] }))}
    />
  );
}

function Steps({ steps, host, page }: { steps: readonly string[]; host: GitHost; page: string | undefined }) {
  const say = useWords(words);
  return (
    <Stack gap="sm" align="flex-start">
      <List type="ordered" spacing={6} pe="md">
        {steps.map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      {page && (
        <Button
          component="a"
          href={page}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<ExternalLink size={18} aria-hidden />}
        >
          {say('open', { host: GIT_HOST_NAMES[host] })}
        </Button>
      )}
    </Stack>
  );
}
