import { Fieldset, Stack, Tabs, Text, Textarea, TextInput, VisuallyHidden } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Check } from 'lucide-react';
import { useWords } from '../../../lib/language-context.tsx';
import { LANGUAGES } from '../../../lib/languages.ts';
import { CODES, type Draft, GUESTS_LANGUAGES, type GuestsLanguage } from '../api/draft.ts';
import { words } from '../words.ts';
import classes from './messages.module.css';

interface OwnWordsProps {
  form: UseFormReturnType<Draft>;
  /** Nothing else goes with them. */
  isAlone: boolean;
  withSubject: boolean;
  open: GuestsLanguage;
  onOpen(language: GuestsLanguage): void;
  /** What the server says of a field as it was tried out: `message_hebrew`. */
  errors?: Readonly<Record<string, string>>;
}

/** Words of one's own, in each language that guests may read. */
export function OwnWords({ form, isAlone, withSubject, open, onOpen, errors = {} }: OwnWordsProps) {
  const say = useWords(words);
  const propsOf = (name: keyof Draft) => {
    const props = form.getInputProps(name);
    return { ...props, error: props.error ?? errors[name] };
  };
  return (
    <Fieldset
      legend={
        <Text component="span" fw={500}>
          {say('own')}
        </Text>
      }
      variant="unstyled"
      className={classes.words}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {say(isAlone ? 'ownAlone' : 'ownAbout')}
        </Text>
        <Tabs value={open} onChange={(value) => value && onOpen(value as GuestsLanguage)}>
          <Tabs.List grow aria-label={say('languages')}>
            {GUESTS_LANGUAGES.map((name) => (
              <Tabs.Tab key={name} value={name} h={44} lang={CODES[name]}>
                {LANGUAGES[CODES[name]].name}
                {form.values[`message_${name}`].trim() && (
                  <>
                    <Check size={16} aria-hidden className={classes.written} />
                    <VisuallyHidden>{say('written')}</VisuallyHidden>
                  </>
                )}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {GUESTS_LANGUAGES.map((name) => (
            <Tabs.Panel key={name} value={name} pt="md">
              <Stack gap="md">
                {withSubject && (
                  <TextInput
                    label={say('subject')}
                    dir="auto"
                    lang={CODES[name]}
                    maxLength={150}
                    {...propsOf(`subject_${name}`)}
                  />
                )}
                <Textarea
                  label={say('text')}
                  dir="auto"
                  lang={CODES[name]}
                  required={isAlone}
                  {...propsOf(`message_${name}`)}
                />
              </Stack>
            </Tabs.Panel>
          ))}
        </Tabs>
      </Stack>
    </Fieldset>
  );
}
