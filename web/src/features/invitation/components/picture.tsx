import { Button, FileButton, Group, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ImagePlus, Trash2 } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { Card } from '../../../components/card.tsx';
import { useNotify } from '../../../components/notify.ts';
import { useNotifyWithUndo } from '../../../components/notify-with-undo.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { pictureQuery, useChangePicture } from '../api/invitation.ts';
import { words } from '../words.ts';
import classes from './invitation.module.css';

const TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'];
/** Maximum size of a picture in bytes, as on the server: uploading a larger file would be in vain. */
const MOST_BYTES = 15 * 2 ** 20;

interface PictureCardProps {
  eventId: string;
  /** Alternative text of the invitation's picture. */
  alt: string;
  mayEdit: boolean;
}

/** Card with the invitation's picture. A new picture is saved at once, and the change can be undone. */
export function PictureCard({ eventId, alt, mayEdit }: PictureCardProps) {
  const say = useWords(words);
  const { data: picture, error, refetch } = useQuery(pictureQuery(eventId));
  const { change, sent, complaint, upload, remove } = useSavePicture(eventId);
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    upload(event.dataTransfer.files[0]);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const target = mayEdit && { onDragOver: over, onDragLeave: () => setOver(false), onDrop: drop };
  return (
    <Card title={say('picture')}>
      {picture === undefined && !error ? (
        <Skeleton height={180} radius="lg" />
      ) : (
        <Stack gap="sm">
          {/* The error of the last attempt is shown below, and may be the same. */}
          <ProblemNote error={change.error ? undefined : error} onRetry={() => refetch()} />
          <div className={classes.drop} data-over={isOver || undefined} {...target}>
            {picture ? (
              <img
                src={picture.small_url}
                width={picture.width}
                height={picture.height}
                alt={alt}
                className={classes.picture}
              />
            ) : (
              <Text c="dimmed">{say(mayEdit ? 'pictureAbout' : 'pictureNone')}</Text>
            )}
            {mayEdit && (
              <PictureButtons
                hasPicture={!!picture}
                isPending={change.isPending}
                onFile={upload}
                onRemove={remove}
              />
            )}
            {change.isPending && change.variables.file && (
              <Progress w="100%" value={sent} aria-label={say('sending')} />
            )}
          </div>
          {complaint && (
            <Text role="alert" c="var(--mantine-color-error)">
              {complaint}
            </Text>
          )}
          <ProblemNote error={change.error} />
        </Stack>
      )}
    </Card>
  );
}

interface PictureButtonsProps {
  hasPicture: boolean;
  isPending: boolean;
  onFile(file: File | null): void;
  onRemove(): void;
}

function PictureButtons({ hasPicture, isPending, onFile, onRemove }: PictureButtonsProps) {
  const say = useWords(words);
  const label = say(hasPicture ? 'anotherPicture' : 'choosePicture');
  return (
    <Group gap="sm" justify="center">
      <FileButton accept={TYPES.join()} onChange={onFile} inputProps={{ 'aria-label': label }}>
        {(props) => (
          <Button
            variant={hasPicture ? 'default' : 'light'}
            leftSection={<ImagePlus size={18} aria-hidden />}
            loading={isPending}
            {...props}
          >
            {label}
          </Button>
        )}
      </FileButton>
      {hasPicture && (
        <Button
          variant="subtle"
          color="red"
          leftSection={<Trash2 size={18} aria-hidden />}
          disabled={isPending}
          onClick={onRemove}
        >
          {say('removePicture')}
        </Button>
      )}
    </Group>
  );
}

/** Saves and removes the invitation's picture, with the progress of the upload and an Undo notification. */
function useSavePicture(eventId: string) {
  const say = useWords(words);
  const notify = useNotify();
  const notifyWithUndo = useNotifyWithUndo();
  const change = useChangePicture(eventId);
  /** Share of the picture's file that is uploaded, in percent. */
  const [sent, setSent] = useState(0);
  const [complaint, setComplaint] = useState<string>();
  const restore = (former: Blob) =>
    change.mutateAsync({ file: former }).then(() => notify(say('pictureBack')));
  const save = (file: Blob | null) => {
    setSent(0);
    setComplaint(undefined);
    const onProgress = (progress: { sent: number; total: number }) =>
      setSent((100 * progress.sent) / Math.max(1, progress.total));
    // The promise outlives the page, so Undo works even after the user has left the page.
    change.mutateAsync({ file, onProgress }).then(
      (former) => {
        if (former) notifyWithUndo(say(file ? 'pictureThere' : 'pictureGone'), () => restore(former));
        else notify(say('pictureThere'));
      },
      () => {},
    );
  };
  const upload = (file: File | null | undefined) => {
    if (!file) return;
    if (!TYPES.includes(file.type)) return setComplaint(say('noPicture'));
    if (file.size > MOST_BYTES) return setComplaint(say('tooLarge'));
    save(file);
  };
  return { change, sent, complaint, upload, remove: () => save(null) };
}
