import {
  ActionIcon,
  Button,
  Group,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { joinTexts } from '../../../lib/dates.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { rsvpSettingsQuery } from '../api/guests.ts';
import { type Member, memberDetails, memberName } from '../api/members.ts';
import { words } from '../words.ts';
import { Section } from './guest-form-section.tsx';
import { type GuestValues, hasConfirmed, MEALS } from './guest-values.ts';
import { LARGEST_PARTY } from './party-field.tsx';

const NEW_MEMBER: Member = { id: '', name: '', child: false, meal: null, allergies: null, coming: true };

/** Part of the guest form for the people of the party who are known by name. One of them at a time is open. */
export function MembersSection({ form, eventId }: { form: UseFormReturnType<GuestValues>; eventId: string }) {
  const say = useWords(words);
  const { data: settings } = useQuery(rsvpSettingsQuery(eventId));
  const [open, setOpen] = useState<number>();
  const { members, party_size: size, coming } = form.values;
  const set = (changed: Member[]) => form.setFieldValue('members', changed);
  const add = () => {
    // If all people of the party are listed already, another member makes the party one person larger.
    if (members.length >= Math.max(Number(size), Number(coming)))
      form.setFieldValue('party_size', members.length + 1);
    set([...members, NEW_MEMBER]);
    setOpen(members.length);
  };
  return (
    <Section title={say('members')}>
      <Text c="dimmed" size="sm">
        {say('membersHint')}
      </Text>
      {form.errors.members && (
        <Text c="var(--mantine-color-error)" size="sm" role="alert">
          {form.errors.members}
        </Text>
      )}
      <Stack gap="xs">
        {members.map((member, at) => (
          <MemberFields
            // biome-ignore lint/suspicious/noArrayIndexKey: a new member has no id yet
            key={at}
            member={member}
            guest={form.values.name}
            isOpen={at === open}
            onOpen={() => setOpen(at === open ? undefined : at)}
            asks={{ meals: settings?.meals ?? true, coming: hasConfirmed(form.values) }}
            onChange={(change) =>
              set(members.map((one, index) => (index === at ? { ...one, ...change } : one)))
            }
            onRemove={() => {
              set(members.filter((_, index) => index !== at));
              setOpen(undefined);
            }}
          />
        ))}
      </Stack>
      {members.length < LARGEST_PARTY && (
        <Button
          variant="default"
          leftSection={<Plus size={16} aria-hidden />}
          onClick={add}
          style={{ alignSelf: 'start' }}
        >
          {say('addMember')}
        </Button>
      )}
    </Section>
  );
}

interface MemberFieldsProps {
  member: Member;
  /**
   * Name of the guest to whose party the member belongs. A member without a name is shown as this guest's companion.
   */
  guest: string;
  isOpen: boolean;
  onOpen(): void;
  /** Details of a member that the form asks for: the meal, and whether the member comes. */
  asks: { meals: boolean; coming: boolean };
  onChange(change: Partial<Member>): void;
  onRemove(): void;
}

function MemberFields({ member, guest, isOpen, onOpen, asks, onChange, onRemove }: MemberFieldsProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const name = memberName({ name: member.name || null }, guest, language);
  if (!isOpen) {
    return (
      <UnstyledButton onClick={onOpen} aria-expanded={false} mih={44}>
        <Paper withBorder px="sm" py="xs" radius="md">
          <Text dir="auto" truncate>
            {name}
          </Text>
          <Text size="sm" c="dimmed" dir="auto" truncate>
            {joinTexts(memberDetails(member, language), language)}
          </Text>
        </Paper>
      </UnstyledButton>
    );
  }
  return (
    <Paper withBorder p="sm" radius="md">
      <Stack gap="sm">
        <Group gap={4} wrap="nowrap" align="flex-end">
          <TextInput
            flex={1}
            label={say('name')}
            placeholder={name}
            dir="auto"
            autoComplete="off"
            autoFocus
            value={member.name ?? ''}
            onChange={({ currentTarget: { value } }) => onChange({ name: value })}
          />
          <ActionIcon color="gray" size="lg" aria-label={say('removeMember', { name })} onClick={onRemove}>
            <X size={18} aria-hidden />
          </ActionIcon>
        </Group>
        {(asks.meals || member.meal || member.allergies) && (
          <SimpleGrid cols={2}>
            <Select
              label={say('memberMeal')}
              allowDeselect={false}
              data={[
                { value: '', label: say('regular') },
                ...MEALS.map((value) => ({ value, label: say(value) })),
              ]}
              value={member.meal ?? ''}
              onChange={(value) => onChange({ meal: (value || null) as Member['meal'] })}
            />
            <TextInput
              label={say('allergies')}
              dir="auto"
              autoComplete="off"
              value={member.allergies ?? ''}
              onChange={({ currentTarget: { value } }) => onChange({ allergies: value || null })}
            />
          </SimpleGrid>
        )}
        <Group gap="lg">
          <Switch
            size="md"
            label={say('memberChild')}
            checked={member.child}
            onChange={({ currentTarget: { checked } }) => onChange({ child: checked })}
          />
          {(asks.coming || !member.coming) && (
            <Switch
              size="md"
              label={say('memberComes')}
              checked={member.coming}
              onChange={({ currentTarget: { checked } }) => onChange({ coming: checked })}
            />
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
