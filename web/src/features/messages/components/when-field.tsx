import { Input, SegmentedControl, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Event } from 'simcha-client';
import { useWords } from '../../../lib/language-context.tsx';
import type { Draft } from '../api/draft.ts';
import { words } from '../words.ts';
import { SendAt } from './send-at.tsx';

interface WhenFieldProps {
  form: UseFormReturnType<Draft>;
  guestsLanguage: Event['language_pref'];
  /** Error about the message's day that the surrounding form found. The field for the day shows it. */
  error: string | undefined;
}

/** Form fields for the time at which a message is sent: now, or a future day and time. */
export function WhenField({ form, guestsLanguage, error }: WhenFieldProps) {
  const say = useWords(words);
  const { isLater } = form.values;
  return (
    <Stack gap="md">
      <Input.Wrapper label={say('when')} labelElement="div" size="md">
        <SegmentedControl
          fullWidth
          mt={4}
          aria-label={say('when')}
          value={isLater ? 'later' : 'now'}
          onChange={(value) => form.setFieldValue('isLater', value === 'later')}
          data={[
            { value: 'now', label: say('now') },
            { value: 'later', label: say('later') },
          ]}
        />
      </Input.Wrapper>
      {isLater && <SendAt form={form} guestsLanguage={guestsLanguage} error={error} />}
    </Stack>
  );
}
