import { Button, Group, NumberInput, SegmentedControl, Text, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { DraftForm, type FormState } from '../../../components/draft-form.tsx';
import { useFormDraft } from '../../../components/form-draft.ts';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { CODE_OF, LANGUAGE_NAMES, LANGUAGES, type LanguageName } from '../../../lib/languages.ts';
import { words } from '../words.ts';
import { OptionFields } from './option-fields.tsx';
import { QuestionPreview } from './question-preview.tsx';
import {
  fieldOfQuestion,
  hasText,
  QUESTION_KINDS,
  type QuestionValues,
  writtenOptions,
} from './question-values.ts';

interface QuestionFormProps extends FormState<QuestionValues> {
  /** Language of the event. Guests see the question in it if their own language has no text. */
  eventLanguage: LanguageName;
  /** True in the form for a new question: the kind of an existing question can't be changed. */
  isNew?: boolean;
  submit: string;
}

export function QuestionForm({ draftKey, initial, eventLanguage, isNew, ...state }: QuestionFormProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const draft = useFormDraft<QuestionValues>(draftKey, initial, (values) => ({
    ...(!hasText(values) && { [eventLanguage]: say('missing') }),
    ...(values.kind === 'choice' && writtenOptions(values).length < 2 && { options: say('twoOptions') }),
  }));
  const { form } = draft;
  const { values } = form;
  const [opened, setOpened] = useState<readonly LanguageName[]>([]);
  const shown = [eventLanguage, ...LANGUAGE_NAMES.filter((name) => name !== eventLanguage)].filter(
    (name) =>
      name === eventLanguage ||
      opened.includes(name) ||
      [values, ...values.options].some((texts) => texts[name] !== ''),
  );
  // If the question has a text only in the language of the page, the form does not name the language.
  const isNamed = shown.length > 1 || CODE_OF[eventLanguage] !== language;
  const others = LANGUAGE_NAMES.filter((name) => !shown.includes(name));
  return (
    <DraftForm {...state} draft={draft} fieldOf={(field) => fieldOfQuestion(field, eventLanguage)}>
      {isNew && (
        <SegmentedControl
          fullWidth
          aria-label={say('kind')}
          data={QUESTION_KINDS.map((value) => ({ value, label: say(`kind_${value}`) }))}
          {...form.getInputProps('kind')}
        />
      )}
      {shown.map((name) => (
        <TextInput
          key={name}
          label={isNamed ? say('questionIn', { language: nameOf(name) }) : say('question')}
          dir="auto"
          required={name === eventLanguage}
          autoComplete="off"
          {...form.getInputProps(name)}
        />
      ))}
      {others.length > 0 && (
        <Group gap="xs">
          <Text w="100%">{say('alsoIn')}</Text>
          {others.map((name) => (
            <Button
              key={name}
              variant="default"
              size="sm"
              h={44}
              leftSection={<Plus size={16} aria-hidden />}
              lang={CODE_OF[name]}
              onClick={() => setOpened([...opened, name])}
            >
              {nameOf(name)}
            </Button>
          ))}
        </Group>
      )}
      {values.kind === 'choice' && (
        <OptionFields
          options={values.options}
          languages={shown}
          error={form.errors.options}
          onChange={(options) => form.setFieldValue('options', options)}
        />
      )}
      {values.kind === 'number' && (
        <NumberInput
          label={say('most')}
          min={1}
          max={1_000}
          allowDecimal={false}
          allowNegative={false}
          {...form.getInputProps('most')}
        />
      )}
      <QuestionPreview values={values} eventLanguage={eventLanguage} />
    </DraftForm>
  );
}

const nameOf = (name: LanguageName): string => LANGUAGES[CODE_OF[name]].name;
