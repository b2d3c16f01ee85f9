import { Button, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FolderDrop } from '../../../components/folder-drop/folder-drop.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import type { ChosenSource } from '../../../lib/folder-source.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { siteNameOf } from '../../sites/api/sites.ts';
import { UploadFailure, useCreateFromFolder } from '../api/new-site.ts';
import { words } from '../words.ts';

/** Form for a site whose files are uploaded: a folder, or an archive of it. */
export function FolderForm() {
  const say = useWords(words);
  const navigate = useNavigate();
  const create = useCreateFromFolder();
  const [source, setSource] = useState<ChosenSource>();
  const [typedName, setTypedName] = useState<string>();
  const [sent, setSent] = useState(0);
  const name = typedName ?? source?.name ?? '';
  const upload = () => {
    if (!source || name.trim() === '') return;
    const created = create.error instanceof UploadFailure ? create.error.site : undefined;
    setSent(0);
    create.mutate(
      {
        name: name.trim(),
        source,
        onProgress: (progress) => setSent((100 * progress.sent) / Math.max(1, progress.total)),
        ...(created && { created }),
      },
      { onSuccess: (site) => navigate({ to: '/sites/new', search: { site: siteNameOf(site) } }) },
    );
  };
  return (
    <Stack gap="md">
      <FolderDrop onChoose={setSource} />
      {source && (
        <>
          <Text role="status">
            <bdi>{source.name}</bdi>
            {source.files !== undefined && ` · ${say('files', { n: source.files })}`}
          </Text>
          <TextInput
            label={say('name')}
            description={say('nameAbout')}
            dir="auto"
            value={name}
            error={name.trim() === '' && say('needed')}
            onChange={({ currentTarget }) => setTypedName(currentTarget.value)}
          />
          {create.isPending && <Progress value={sent} aria-label={say('uploading')} />}
          <ProblemNote error={create.error instanceof UploadFailure ? create.error.cause : create.error} />
          <Button loading={create.isPending} onClick={upload} style={{ alignSelf: 'flex-start' }}>
            {say('uploadAndGoOn')}
          </Button>
        </>
      )}
    </Stack>
  );
}
