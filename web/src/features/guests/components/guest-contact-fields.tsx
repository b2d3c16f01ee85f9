import { Button, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';
import type { FieldsProps } from './guest-form-fields.tsx';

interface ContactFieldsProps extends FieldsProps {
  withFocus: boolean;
  seesContacts: boolean;
}

/** Fields of the guest form for name, phone numbers and email addresses. */
export function ContactFields({ form, withFocus, seesContacts }: ContactFieldsProps) {
  const say = useWords(words);
  return (
    <>
      <TextInput
        label={say('name')}
        dir="auto"
        required
        autoComplete="off"
        {...(withFocus && { 'data-autofocus': true, autoFocus: true })}
        {...form.getInputProps('name')}
      />
      {seesContacts && (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label={say('phone')}
              type="tel"
              dir="ltr"
              autoComplete="off"
              {...form.getInputProps('phone')}
            />
            <TextInput
              label={say('email')}
              type="email"
              dir="ltr"
              autoComplete="off"
              {...form.getInputProps('email')}
            />
          </SimpleGrid>
          <OtherContacts form={form} />
        </>
      )}
    </>
  );
}

const OTHERS = ['other_phones', 'other_emails'] as const;
const MOST_OTHERS = 5;

/** Other phone numbers and addresses of a guest, shown if there are any or on request. */
function OtherContacts({ form }: FieldsProps) {
  const say = useWords(words);
  const [isShown, setShown] = useState(() =>
    OTHERS.some((field) => form.values[field].length > 0 || form.errors[field]),
  );
  if (!isShown)
    return (
      <Button variant="subtle" px={6} mt={-8} style={{ alignSelf: 'start' }} onClick={() => setShown(true)}>
        {say('addContact')}
      </Button>
    );
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {OTHERS.map((field) => (
        <TagsInput
          key={field}
          size="md"
          label={say(field)}
          description={field === 'other_phones' ? say('othersHint') : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          dir="ltr"
          inputMode={field === 'other_phones' ? 'tel' : 'email'}
          maxTags={MOST_OTHERS}
          acceptValueOnBlur
          {...form.getInputProps(field)}
        />
      ))}
    </SimpleGrid>
  );
}
