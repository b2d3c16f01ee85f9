import { Anchor, Group, Stack, Text } from '@mantine/core';
import { AtSign, BadgeCheck, Phone, StickyNote, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Vendor } from 'simcha-client';
import { shortDay, todayInIsrael } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';

/** Contact data of a vendor, and the vendor's kashrut certificate. */
export function VendorContact({ vendor }: { vendor: Vendor }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { contact_name: contact, phone, email, kashrut_level: level, note } = vendor;
  const { kashrut_issuer: issuer, kashrut_expiry_date: expiry } = vendor;
  const hasEnded = expiry !== null && expiry < todayInIsrael();
  return (
    <Stack gap={4}>
      {contact && (
        <Line icon={<UserRound size={18} aria-hidden />}>
          <bdi>{contact}</bdi>
        </Line>
      )}
      {phone && (
        <Line icon={<Phone size={18} aria-hidden />}>
          <Anchor href={`tel:${phone.replace(/[^\d+*#]/g, '')}`} dir="ltr" py={6} display="inline-block">
            {phone}
          </Anchor>
        </Line>
      )}
      {email && (
        <Line icon={<AtSign size={18} aria-hidden />}>
          <Anchor href={`mailto:${email}`} dir="ltr" py={6} display="inline-block">
            {email}
          </Anchor>
        </Line>
      )}
      {level !== 'none' && (
        <Line icon={<BadgeCheck size={18} aria-hidden />}>
          {say('kashrut')}: {say(`kashrut_${level}`)}
          {issuer && (
            <>
              {', '}
              <bdi>{issuer}</bdi>
            </>
          )}
          {expiry && (
            <Text span c={hasEnded ? 'var(--mantine-color-error)' : 'dimmed'}>
              {' · '}
              {say(hasEnded ? 'expired' : 'validUntilDay', { date: shortDay(expiry, language) })}
            </Text>
          )}
        </Line>
      )}
      {note && (
        <Line icon={<StickyNote size={18} aria-hidden />}>
          <bdi style={{ whiteSpace: 'pre-wrap' }}>{note}</bdi>
        </Line>
      )}
    </Stack>
  );
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <Group gap={10} wrap="nowrap" align="center">
      <Text span c="dimmed" lh={0}>
        {icon}
      </Text>
      <Text component="div" style={{ minWidth: 0 }}>
        {children}
      </Text>
    </Group>
  );
}
