import { Button, Collapse, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Check, Copy, MessageCircle, QrCode } from 'lucide-react';
import { useState } from 'react';
import { encode } from 'uqr';
import { Card } from '../../../components/card.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { linkQuery } from '../api/guests.ts';
import { words } from '../words.ts';
import classes from './guest-link.module.css';

/** By what a guest answers, and the ways to hand it over. */
export function GuestLink({ eventId, id }: { eventId: string; id: string }) {
  const say = useWords(words);
  const { data: link, error, refetch } = useQuery(linkQuery(eventId, id));
  const [isShown, setShown] = useState(false);
  if (error && !link) return <ProblemNote error={error} again={() => refetch()} />;
  if (!link) return <Skeleton height={170} radius="lg" />;
  const { url, message, whatsapp_url: whatsapp, name } = link;
  return (
    <Card title={say('link')}>
      <Stack gap="sm">
        <Text c="dimmed" size="sm">
          {say('linkAbout')}
        </Text>
        <TextInput
          aria-label={say('link')}
          readOnly
          dir="ltr"
          value={url}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <div className={classes.ways}>
          <CopyText text={url} label={say('copyLink')} />
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
          <Button
            variant="default"
            leftSection={<QrCode size={18} aria-hidden />}
            aria-expanded={isShown}
            onClick={() => setShown(!isShown)}
          >
            {say('qr')}
          </Button>
        </div>
        {message === null && (
          <Text c="dimmed" size="sm">
            {say('linkLater')}
          </Text>
        )}
        <Collapse expanded={isShown}>{isShown && <Qr text={url} label={say('qrOf', { name })} />}</Collapse>
      </Stack>
    </Card>
  );
}

function CopyText({ text, label }: { text: string; label: string }) {
  const say = useWords(words);
  const { copy, copied, error } = useClipboard({ timeout: 2_500 });
  return (
    <>
      <Button
        variant="default"
        leftSection={copied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
        onClick={() => copy(text)}
      >
        <span aria-live="polite">{copied ? say('copied') : label}</span>
      </Button>
      {error && (
        <Text size="sm" role="alert">
          {say('notCopied')}
        </Text>
      )}
    </>
  );
}

/** Dark on light in the dark, too: not every camera reads the other. */
function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 3 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={240}
      height={240}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      style={{ borderRadius: 12, display: 'block', marginInline: 'auto' }}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
