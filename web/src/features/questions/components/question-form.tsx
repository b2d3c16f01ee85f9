import { Button, Group, NumberInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { DraftNote } from '../../../components/draft-note.tsx';
import { focusOn, useFieldProblem, useFormDraft } from '../../../components/form-draft.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
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

interface QuestionFormProps {
  draftKey: string;
  initial: QuestionValues;
  /** Language of the event, which guests see if their own language has no text. */
  eventLanguage: LanguageName;
  /** True for a new question: the kind of an existing one can't be changed. */
  isNew?: boolean;
  submit: string;
  isPending: boolean;
  error: unknown;
  onSubmit(values: QuestionValues): void;
}

export function QuestionForm(props: QuestionFormProps) {
  const { draftKey, initial, eventLanguage, isNew, submit, isPending, error, onSubmit } = props;
  const say = useWords(words);
  const { language } = useLanguage();
  const { form, wasRestored, startOver } = useFormDraft<QuestionValues>(draftKey, initial, (values) => ({
    ...(!hasText(values) && { [eventLanguage]: say('missing') }),
    ...(values.kind === 'choice' && writtenOptions(values).length < 2 && { options: say('twoOptions') }),
  }));
  const problem = useFieldProblem(form, error, (field) => fieldOfQuestion(field, eventLanguage));
  const { values } = form;
  const [opened, setOpened] = useState<readonly LanguageName[]>([]);
  const shown = [eventLanguage, ...LANGUAGE_NAMES.filter((name) => name !== eventLanguage)].filter(
    (name) =>
      name === eventLanguage ||
      opened.includes(name) ||
      [values, ...values.options].some((texts) => texts[name] !== ''),
  );
  // A single language needs no name if it is the language of the page.
  const isNamed = shown.length > 1 || CODE_OF[eventLanguage] !== language;
  const others = LANGUAGE_NAMES.filter((name) => !shown.includes(name));
  return (
    <form noValidate onSubmit={form.onSubmit(onSubmit, (errors) => focusOn(form, Object.keys(errors)[0]))}>
      <Stack gap="md">
        {wasRestored && <DraftNote onStartOver={startOver} />}
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
        <ProblemNote error={problem} />
        <Group>
          <Button type="submit" loading={isPending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const nameOf = (name: LanguageName): string => LANGUAGES[CODE_OF[name]].name;
