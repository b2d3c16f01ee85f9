import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { MessageCircle } from 'lucide-react';
import { Card } from '../../../components/card.tsx';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { CopyText } from '../../../components/copy-text.tsx';
import { useNotify } from '../../../components/notify.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { ShareLink } from '../../../components/share-link.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { linkQuery, useRevokeLink } from '../api/guests.ts';
import { words } from '../words.ts';

/** Card with the guest's personal link and buttons to copy, share or revoke it. */
export function GuestLink({ eventId, id }: { eventId: string; id: string }) {
  const say = useWords(words);
  const notify = useNotify();
  const { data: link, error, refetch } = useQuery(linkQuery(eventId, id));
  const revoke = useRevokeLink(eventId, id);
  if (error && !link) return <ProblemNote error={error} onRetry={() => refetch()} />;
  if (!link) return <Skeleton height={170} radius="lg" />;
  const { url, message, whatsapp_url: whatsapp, name } = link;
  return (
    <Card title={say('link')}>
      <Stack gap="sm">
        <Text c="dimmed" size="sm">
          {say('linkAbout')}
        </Text>
        <ShareLink label={say('link')} url={url} qrLabel={say('qrOf', { name })}>
          {message && <CopyText text={message} label={say('copyMessage')} />}
          {whatsapp && (
            <Button
              component="a"
              href={whatsapp}
              target="_blank"
              rel="noreferrer"
              leftSection={<MessageCircle size={18} aria-hidden />}
            >
              {say('whatsapp')}
            </Button>
          )}
        </ShareLink>
        {message === null && (
          <Text c="dimmed" size="sm">
            {say('linkLater')}
          </Text>
        )}
        <ConfirmButton
          // A new link gives the revoke button a new key, so React shows the button in its first state again.
          key={url}
          label={say('revoke')}
          keep={say('keepLink')}
          about={say('revokeAbout')}
          error={revoke.error}
          isPending={revoke.isPending}
          onConfirm={() => revoke.mutate(undefined, { onSuccess: () => notify(say('revoked')) })}
        />
      </Stack>
    </Card>
  );
}
