import { ActionIcon, Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useWords } from '../../../lib/language-context.tsx';
import { CODE_OF, LANGUAGES, type LanguageName } from '../../../lib/languages.ts';
import { words } from '../words.ts';
import { emptyOption, type OptionValues } from './question-values.ts';
import classes from './questions.module.css';

/** Maximum number of options that the server accepts for a question. */
const MOST_OPTIONS = 20;
const FEWEST = 2;

interface OptionFieldsProps {
  options: OptionValues[];
  languages: readonly LanguageName[];
  error: ReactNode;
  onChange(options: OptionValues[]): void;
}

/** Fields for the options of a multiple-choice question; the Enter key adds the next option. */
export function OptionFields({ options, languages, error, onChange }: OptionFieldsProps) {
  const say = useWords(words);
  // An option that the user adds is focused; the first options are not, when the form opens.
  const isAdded = useRef(false);
  const add = () => {
    isAdded.current = true;
    onChange([...options, emptyOption]);
  };
  const goOn = (event: KeyboardEvent, at: number) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (at === options.length - 1 && options.length < MOST_OPTIONS) add();
  };
  return (
    <Fieldset
      variant="unstyled"
      legend={say('options')}
      styles={{ legend: { fontWeight: 500, fontSize: 'var(--mantine-font-size-md)' } }}
    >
      <Stack gap="xs" mt={4}>
        <ol className={classes.plain}>
          {options.map((option, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a new option has no other key
            <li key={at}>
              <Group gap={4} wrap="nowrap" align="flex-start" mb={8}>
                <Stack gap={6} flex={1}>
                  {languages.map((name, nth) => (
                    <TextInput
                      key={name}
                      aria-label={
                        languages.length > 1
                          ? say('optionIn', { n: at + 1, language: LANGUAGES[CODE_OF[name]].name })
                          : say('option', { n: at + 1 })
                      }
                      placeholder={languages.length > 1 ? LANGUAGES[CODE_OF[name]].name : undefined}
                      dir="auto"
                      autoComplete="off"
                      autoFocus={isAdded.current && nth === 0 && at === options.length - 1}
                      aria-invalid={error ? true : undefined}
                      value={option[name]}
                      onKeyDown={(event) => goOn(event, at)}
                      onChange={({ currentTarget: { value } }) =>
                        onChange(options.with(at, { ...option, [name]: value }))
                      }
                    />
                  ))}
                </Stack>
                {options.length > FEWEST && (
                  <ActionIcon
                    color="gray"
                    aria-label={say('dropOption', { n: at + 1 })}
                    onClick={() => onChange(options.toSpliced(at, 1))}
                  >
                    <X size={18} aria-hidden />
                  </ActionIcon>
                )}
              </Group>
            </li>
          ))}
        </ol>
        {error && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
        {options.length < MOST_OPTIONS && (
          <Group>
            <Button variant="subtle" px={6} leftSection={<Plus size={18} aria-hidden />} onClick={add}>
              {say('addOption')}
            </Button>
          </Group>
        )}
      </Stack>
    </Fieldset>
  );
}
