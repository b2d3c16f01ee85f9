import { Button, FileButton, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { FolderUp } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { siteNameOf } from '../../sites/api/sites.ts';
import { type ChosenSource, droppedFiles, sourceOfArchive, sourceOfFolder } from '../api/folder.ts';
import { UploadFailure, useCreateFromFolder } from '../api/new-site.ts';
import { words } from '../words.ts';
import classes from './folder-form.module.css';

const ACCEPTED = '.zip,.tar,.tgz,.gz';

/** Form for a site whose files are uploaded: a folder, or an archive of it. */
export function FolderForm() {
  const say = useWords(words);
  const navigate = useNavigate();
  const create = useCreateFromFolder();
  const [source, setSource] = useState<ChosenSource>();
  const [wrong, setWrong] = useState<string>();
  const [typedName, setTypedName] = useState<string>();
  const [sent, setSent] = useState(0);
  const name = typedName ?? source?.name ?? '';
  const choose = (chosen: ChosenSource | undefined, complaint: string) => {
    setSource(chosen);
    setWrong(chosen ? undefined : complaint);
  };
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
      <DropArea onChoose={choose} />
      {wrong && (
        <Text c="var(--mantine-color-error)" role="alert">
          {wrong}
        </Text>
      )}
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

/** Area onto which a folder or an archive is dropped, with buttons that choose one. */
function DropArea({ onChoose }: { onChoose(source: ChosenSource | undefined, complaint: string): void }) {
  const say = useWords(words);
  const [isOver, setOver] = useState(false);
  const folderInput = useRef<HTMLInputElement>(null);
  const chooseArchive = (file: File | null) => {
    if (file) onChoose(sourceOfArchive(file), say('noArchive'));
  };
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    const files = await droppedFiles(event.dataTransfer);
    const isFolder = files.some(({ path }) => path.includes('/'));
    if (isFolder) onChoose(sourceOfFolder(files), say('emptyFolder'));
    else chooseArchive(file ?? null);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it do the same by the keyboard
    <div
      className={classes.area}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        drop(event).catch(() => onChoose(undefined, say('noArchive')));
      }}
    >
      <FolderUp size={44} strokeWidth={1.4} color="var(--mantine-primary-color-filled)" aria-hidden />
      <Text fw={500}>{say('drop')}</Text>
      <Group justify="center" gap="sm">
        <Button variant="default" onClick={() => folderInput.current?.click()}>
          {say('chooseFolder')}
        </Button>
        <FileButton accept={ACCEPTED} onChange={chooseArchive}>
          {(props) => (
            <Button {...props} variant="default">
              {say('chooseFile')}
            </Button>
          )}
        </FileButton>
      </Group>
      <Text size="sm" c="dimmed">
        {say('dropAbout')}
      </Text>
      <input
        ref={folderInput}
        type="file"
        hidden
        multiple
        aria-label={say('chooseFolder')}
        {...{ webkitdirectory: '' }}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          const chosen = files.map((file) => ({ path: file.webkitRelativePath, file }));
          if (files.length > 0) onChoose(sourceOfFolder(chosen), say('emptyFolder'));
        }}
      />
    </div>
  );
}
