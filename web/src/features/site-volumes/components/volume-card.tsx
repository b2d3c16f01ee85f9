import { Button, Code, Group, Menu, Stack, Title } from '@mantine/core';
import { Download, Eraser, HardDrive, Trash2, Upload } from 'lucide-react';
import { useState } from 'react';
import type { Application, Volume } from 'simcha-client';
import { ActionMenu } from '../../../components/action-menu.tsx';
import { Card } from '../../../components/card.tsx';
import { ForRole } from '../../../components/for-role.tsx';
import { TimeAgo } from '../../../components/time-ago.tsx';
import { formatFileSize } from '../../../lib/file-size.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { backupAddress } from '../api/volumes.ts';
import { words } from '../words.ts';
import classes from './volume-card.module.css';
import { type VolumeAction, VolumeChange } from './volume-change.tsx';

interface VolumeCardProps {
  name: string;
  site: Application;
  volume: Volume;
}

/** Volume with its size, its last backup, and what can be done with its content. */
export function VolumeCard({ name, site, volume }: VolumeCardProps) {
  const say = useWords(words);
  const [action, setAction] = useState<VolumeAction>();
  return (
    <Card aria-label={volume.name}>
      <Stack>
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
            <HardDrive size={24} aria-hidden style={{ flex: 'none' }} />
            <div style={{ minWidth: 0 }}>
              <Title order={3} size="h4">
                <bdi>{volume.name}</bdi>
              </Title>
              <Code dir="ltr" className={classes.path}>
                {volume.path}
              </Code>
            </div>
          </Group>
          <ForRole atLeast="administer">
            <ActionMenu label={say('more')}>
              <Menu.Item leftSection={<Eraser size={18} aria-hidden />} onClick={() => setAction('empty')}>
                {say('empty')}
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<Trash2 size={18} aria-hidden />}
                onClick={() => setAction('remove')}
              >
                {say('remove')}
              </Menu.Item>
            </ActionMenu>
          </ForRole>
        </Group>
        <VolumeFacts volume={volume} />
        {action ? (
          <VolumeChange
            key={action}
            action={action}
            name={name}
            site={site}
            volume={volume.name}
            onClose={() => setAction(undefined)}
          />
        ) : (
          <ForRole atLeast="administer">
            <Group gap="sm">
              <Button
                component="a"
                href={backupAddress(site.application_uuid, volume.name)}
                download
                variant="default"
                leftSection={<Download size={18} aria-hidden />}
              >
                {say('backUp')}
              </Button>
              <Button
                variant="default"
                leftSection={<Upload size={18} aria-hidden />}
                onClick={() => setAction('restore')}
              >
                {say('restore')}
              </Button>
            </Group>
          </ForRole>
        )}
      </Stack>
    </Card>
  );
}

function VolumeFacts({ volume }: { volume: Volume }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { bytes, backed_up_at: backedUp, backup_bytes: backupBytes, created_at: created } = volume;
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{say('size')}</dt>
        <dd>{bytes === null ? say('sizeUnknown') : formatFileSize(bytes, language)}</dd>
      </div>
      <div>
        <dt>{say('lastBackup')}</dt>
        <dd>
          {backedUp === null ? say('noBackup') : <TimeAgo at={backedUp} />}
          {backupBytes !== null && ` · ${formatFileSize(backupBytes, language)}`}
        </dd>
      </div>
      <div>
        <dt>{say('created')}</dt>
        <dd>
          <TimeAgo at={created} />
        </dd>
      </div>
    </dl>
  );
}
