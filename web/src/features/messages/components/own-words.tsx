import { Fieldset, Stack, Tabs, Text, Textarea, TextInput, VisuallyHidden } from '@mantine/core';
import { Check } from 'lucide-react';
import { useWords } from '../../../lib/language-context.tsx';
import { LANGUAGES } from '../../../lib/languages.ts';
import { CODES, type Draft, GUESTS_LANGUAGES, type GuestsLanguage } from '../api/draft.ts';
import { words } from '../words.ts';
import classes from './messages.module.css';

interface OwnWordsProps {
  draft: Draft;
  /** Nothing else goes with them. */
  isAlone: boolean;
  withSubject: boolean;
  open: GuestsLanguage;
  onOpen(language: GuestsLanguage): void;
  /** What the server, or the form, says of a field: `message.hebrew`. */
  errors: Readonly<Record<string, string>>;
  onChange(changed: Pick<Draft, 'subject' | 'message'>): void;
}

/** Words of one's own, in each language that guests may read. */
export function OwnWords({ draft, isAlone, withSubject, open, onOpen, errors, onChange }: OwnWordsProps) {
  const say = useWords(words);
  const { subject, message } = draft;
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
                {message[name]?.trim() && (
                  <>
                    <Check size={16} aria-hidden className={classes.written} />
                    <VisuallyHidden>{say('written')}</VisuallyHidden>
                  </>
                )}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {GUESTS_LANGUAGES.map((name) => {
            return (
              <Tabs.Panel key={name} value={name} pt="md">
                <Stack gap="md">
                  {withSubject && (
                    <TextInput
                      id={`subject.${name}`}
                      label={say('subject')}
                      dir="auto"
                      lang={CODES[name]}
                      maxLength={150}
                      value={subject[name] ?? ''}
                      error={errors[`subject.${name}`]}
                      onChange={({ currentTarget: { value } }) =>
                        onChange({ message, subject: { ...subject, [name]: value } })
                      }
                    />
                  )}
                  <Textarea
                    id={`message.${name}`}
                    label={say('text')}
                    dir="auto"
                    lang={CODES[name]}
                    required={isAlone}
                    value={message[name] ?? ''}
                    error={errors[`message.${name}`]}
                    onChange={({ currentTarget: { value } }) =>
                      onChange({ subject, message: { ...message, [name]: value } })
                    }
                  />
                </Stack>
              </Tabs.Panel>
            );
          })}
        </Tabs>
      </Stack>
    </Fieldset>
  );
}
