import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Application } from 'simcha-client';
import { Note } from '../../../components/note.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { TypedConfirmation } from '../../../components/typed-confirmation.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { useStop } from '../../sites/api/deployments.ts';
import { useEmptyVolume, useRemoveVolume, useRestoreVolume } from '../api/volumes.ts';
import { words } from '../words.ts';

/** Change of a volume's content that is possible only while its site is stopped. */
export type VolumeAction = 'restore' | 'empty' | 'remove';

interface VolumeChangeProps {
  action: VolumeAction;
  name: string;
  site: Application;
  volume: string;
  onClose(): void;
}

/** Form for a change of a volume's content, which begins with stopping the site. */
export function VolumeChange({ action, name, site, volume, onClose }: VolumeChangeProps) {
  const say = useWords(words);
  const notify = useNotify();
  const isStopped = site.status === 'stopped' || site.status === 'created';
  const [archive, setArchive] = useState<File | null>(null);
  const [part, setPart] = useState(0);
  const restore = useRestoreVolume(name);
  const empty = useEmptyVolume(name);
  const remove = useRemoveVolume(name);
  const { error, isPending } = { restore, empty, remove }[action];
  const onSuccess = () => {
    notify(say(DONE[action]));
    onClose();
  };
  const confirm = () => {
    if (action === 'restore' && archive)
      restore.mutate({ volume, archive, onProgress: setPart }, { onSuccess });
    if (action === 'empty') empty.mutate(volume, { onSuccess });
    if (action === 'remove') remove.mutate(volume, { onSuccess });
  };
  return (
    <Stack gap="sm">
      {!isStopped && <StopFirst name={name} />}
      <TypedConfirmation
        about={say(`${action}About`)}
        name={volume}
        label={say(action)}
        error={error}
        isPending={isPending}
        isDisabled={!isStopped || (action === 'restore' && !archive)}
        onConfirm={confirm}
        onCancel={onClose}
      >
        {action === 'restore' && (
          <Group gap="sm">
            <FileButton accept=".tar,application/x-tar" onChange={setArchive}>
              {(props) => (
                <Button variant="default" {...props}>
                  {say('chooseFile')}
                </Button>
              )}
            </FileButton>
            <Text size="sm" c="dimmed">
              {archive ? <bdi>{archive.name}</bdi> : say('tarOnly')}
              {isPending && ` · ${say('sent', { percent: Math.floor(part * 100) })}`}
            </Text>
          </Group>
        )}
      </TypedConfirmation>
    </Stack>
  );
}

const DONE = { restore: 'restored', empty: 'emptied', remove: 'removed' } as const;

function StopFirst({ name }: { name: string }) {
  const say = useWords(words);
  const stop = useStop(name);
  return (
    <Note>
      <Text>{say('mustStop')}</Text>
      <ProblemNote error={stop.error} />
      <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
        {say('stop')}
      </Button>
    </Note>
  );
}
