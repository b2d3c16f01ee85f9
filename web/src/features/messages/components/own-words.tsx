import { Fieldset, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { LanguageTabs } from '../../../components/language-tabs.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { CODE_OF, type LanguageName } from '../../../lib/languages.ts';
import type { Draft } from '../api/draft.ts';
import { words } from '../words.ts';
import classes from './messages.module.css';

interface OwnWordsProps {
  draft: Draft;
  /** Nothing else goes with them. */
  isAlone: boolean;
  withSubject: boolean;
  open: LanguageName;
  onOpen(language: LanguageName): void;
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
        <LanguageTabs
          label={say('languages')}
          open={open}
          onOpen={onOpen}
          isWritten={(name) => Boolean(message[name]?.trim())}
        >
          {(name) => (
            <Stack gap="md">
              {withSubject && (
                <TextInput
                  id={`subject.${name}`}
                  label={say('subject')}
                  dir="auto"
                  lang={CODE_OF[name]}
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
                lang={CODE_OF[name]}
                required={isAlone}
                value={message[name] ?? ''}
                error={errors[`message.${name}`]}
                onChange={({ currentTarget: { value } }) =>
                  onChange({ subject, message: { ...message, [name]: value } })
                }
              />
            </Stack>
          )}
        </LanguageTabs>
      </Stack>
    </Fieldset>
  );
}
