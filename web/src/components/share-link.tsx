import { Button, Collapse, Stack, TextInput } from '@mantine/core';
import { QrCode } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { encode } from 'uqr';
import { useWords } from '../lib/language-context.tsx';
import { CopyText } from './copy-text.tsx';
import classes from './share-link.module.css';
import { words } from './words.ts';

interface ShareLinkProps {
  label: string;
  url: string;
  qrLabel: string;
  /** Address in the QR code; by default the address that the copy button copies. */
  qrUrl?: string;
  /** Further buttons with which the user can share the link. */
  children?: ReactNode;
}

/** Shareable link with a copy button and a QR code. */
export function ShareLink({ label, url, qrLabel, qrUrl = url, children }: ShareLinkProps) {
  const say = useWords(words);
  const [isShown, setShown] = useState(false);
  return (
    <Stack gap="sm">
      <TextInput
        aria-label={label}
        readOnly
        dir="ltr"
        value={url}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <div className={classes.ways}>
        <CopyText text={url} label={say('copyLink')} />
        {children}
        <Button
          variant="default"
          leftSection={<QrCode size={18} aria-hidden />}
          aria-expanded={isShown}
          onClick={() => setShown(!isShown)}
        >
          {say('qr')}
        </Button>
      </div>
      <Collapse expanded={isShown}>{isShown && <Qr text={qrUrl} label={qrLabel} />}</Collapse>
    </Stack>
  );
}

/** QR code, dark on light even in the dark color scheme: not every camera reads light on dark. */
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
