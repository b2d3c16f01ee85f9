import { Fieldset, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { LanguageTabs } from '../../../components/language-tabs.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { CODE_OF, type LanguageName } from '../../../lib/languages.ts';
import type { Draft } from '../api/draft.ts';
import { words } from '../words.ts';
import classes from './messages.module.css';

interface OwnTextProps {
  form: UseFormReturnType<Draft>;
  /** True if the message has no standard text, only what the organizer writes here. */
  isAlone: boolean;
  withSubject: boolean;
  open: LanguageName;
  onOpen(language: LanguageName): void;
  /** Errors of the message preview, by form field, such as `message_hebrew`. */
  errors?: Readonly<Record<string, string>>;
}

/** Fields for the organizer's own text of a message, in each language of guests. */
export function OwnText({ form, isAlone, withSubject, open, onOpen, errors = {} }: OwnTextProps) {
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
        <LanguageTabs
          label={say('languages')}
          open={open}
          onOpen={onOpen}
          isWritten={(name) => form.values[`message_${name}`].trim() !== ''}
        >
          {(name) => (
            <Stack gap="md">
              {withSubject && (
                <TextInput
                  label={say('subject')}
                  dir="auto"
                  lang={CODE_OF[name]}
                  maxLength={150}
                  {...propsOf(`subject_${name}`)}
                />
              )}
              <Textarea
                label={say('text')}
                dir="auto"
                lang={CODE_OF[name]}
                required={isAlone}
                {...propsOf(`message_${name}`)}
              />
            </Stack>
          )}
        </LanguageTabs>
      </Stack>
    </Fieldset>
  );
}
