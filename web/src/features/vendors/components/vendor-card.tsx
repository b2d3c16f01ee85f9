import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Vendor } from 'simcha-client';
import { LinkCard } from '../../../components/link-card.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';
import classes from './booking-card.module.css';
import { KindIcon } from './kind-icon.tsx';
import own from './vendor-card.module.css';
import { VendorContact } from './vendor-contact.tsx';

/**
 * Card of a vendor. The whole card leads to the vendor's details, except for the links that call the vendor or write to
 * them.
 */
export function VendorCard({ vendor }: { vendor: Vendor }) {
  const say = useWords(words);
  return (
    <LinkCard>
      <Stack gap={8}>
        <Group wrap="nowrap" gap="sm" align="flex-start">
          <Box className={classes.icon}>
            <KindIcon kind={vendor.kind} />
          </Box>
          <div style={{ flex: 1, minWidth: 0 }}>
            <Title order={2} size="h5" lineClamp={2}>
              <Link from="/vendors" to="/vendors" search={(before) => ({ ...before, vendor: vendor.id })}>
                <bdi>{vendor.name}</bdi>
              </Link>
            </Title>
            <Text size="sm" c="dimmed">
              {say(`kind_${vendor.kind}`)}
            </Text>
          </div>
        </Group>
        <div className={own.contact}>
          <VendorContact vendor={vendor} />
        </div>
      </Stack>
    </LinkCard>
  );
}
