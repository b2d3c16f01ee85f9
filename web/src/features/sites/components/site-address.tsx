import { Anchor } from '@mantine/core';
import { ExternalLink } from 'lucide-react';

/** Link to a site at its own address, which opens beside the console. */
export function SiteAddress({ address }: { address: string }) {
  return (
    <Anchor
      href={address}
      target="_blank"
      rel="noreferrer"
      dir="ltr"
      underline="hover"
      style={{ overflowWrap: 'anywhere' }}
    >
      {address.replace(/^https?:\/\//, '')}{' '}
      <ExternalLink size={14} aria-hidden style={{ verticalAlign: '-1px' }} />
    </Anchor>
  );
}
