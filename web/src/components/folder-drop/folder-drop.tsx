import { Button, FileButton, Group, Text } from '@mantine/core';
import { FolderUp } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { droppedFiles } from '../../lib/dropped-files.ts';
import { type ChosenSource, sourceOfArchive, sourceOfFolder } from '../../lib/folder-source.ts';
import { useWords } from '../../lib/language-context.tsx';
import classes from './folder-drop.module.css';
import { words } from './words.ts';

const ACCEPTED = '.zip,.tar,.tgz,.gz';

interface FolderDropProps {
  /** Called with the chosen source, or without one if what was chosen can't be uploaded. */
  onChoose(source: ChosenSource | undefined): void;
}

/** Area onto which a folder or an archive is dropped, with buttons that choose one. */
export function FolderDrop({ onChoose }: FolderDropProps) {
  const say = useWords(words);
  const [isOver, setOver] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const choose = (chosen: ChosenSource | undefined, complaint: string) => {
    setWrong(chosen ? undefined : complaint);
    onChoose(chosen);
  };
  const folderInput = useRef<HTMLInputElement>(null);
  const chooseArchive = (file: File | null) => {
    if (file) choose(sourceOfArchive(file), say('noArchive'));
  };
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    const files = await droppedFiles(event.dataTransfer);
    const isFolder = files.some(({ path }) => path.includes('/'));
    if (isFolder) choose(sourceOfFolder(files), say('emptyFolder'));
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
        drop(event).catch(() => choose(undefined, say('noArchive')));
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
      {wrong && (
        <Text c="var(--mantine-color-error)" role="alert">
          {wrong}
        </Text>
      )}
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
          if (files.length > 0) choose(sourceOfFolder(chosen), say('emptyFolder'));
        }}
      />
    </div>
  );
}
