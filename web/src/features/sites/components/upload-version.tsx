import { Button, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { FolderDrop } from '../../../components/folder-drop/folder-drop.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import type { ChosenSource } from '../../../lib/folder-source.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { useOpenDeployment } from '../api/deployments.ts';
import { useUploadVersion } from '../api/upload.ts';
import { words } from '../words.ts';

/** Upload of a new version of a site that has no repository. */
export function UploadVersion({ name }: { name: string }) {
  const say = useWords(words);
  const open = useOpenDeployment(name);
  const upload = useUploadVersion(name);
  const [source, setSource] = useState<ChosenSource>();
  const [sent, setSent] = useState(0);
  const send = (chosen: ChosenSource) => {
    setSent(0);
    upload.mutate(
      {
        source: chosen,
        onProgress: (progress) => setSent((100 * progress.sent) / Math.max(1, progress.total)),
      },
      { onSuccess: (id) => id !== null && open({ deployment_uuid: id }) },
    );
  };
  return (
    <Card title={say('uploadNew')}>
      <Stack gap="md">
        <FolderDrop onChoose={setSource} />
        {source && (
          <>
            <Text role="status">
              <bdi>{source.name}</bdi>
            </Text>
            {upload.isPending && <Progress value={sent} aria-label={say('uploading')} />}
            <ProblemNote error={upload.error} />
            <Button
              loading={upload.isPending}
              onClick={() => send(source)}
              style={{ alignSelf: 'flex-start' }}
            >
              {say('uploadAndDeploy')}
            </Button>
          </>
        )}
      </Stack>
    </Card>
  );
}
