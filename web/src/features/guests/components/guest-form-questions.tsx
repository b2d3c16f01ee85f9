import { NumberInput, Select, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLanguage, useWords } from '../../../lib/language-context.tsx';
import { textIn } from '../../../lib/languages.ts';
import { questionsQuery } from '../api/guests.ts';
import { words } from '../words.ts';
import { Section } from './guest-form-section.tsx';
import type { GuestValues } from './guest-values.ts';

interface QuestionsSectionProps {
  eventId: string;
  values: GuestValues['answers'];
  onChange(values: GuestValues['answers']): void;
}

/** Fields of the guest form for the event's questions, including former ones that this guest answered. */
export function QuestionsSection({ eventId, values, onChange }: QuestionsSectionProps) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { data: questions = [] } = useQuery(questionsQuery(eventId));
  const visible = questions.filter(({ id, asked }) => asked || values[id] !== undefined);
  if (visible.length === 0) return null;
  return (
    <Section title={say('questions')}>
      {visible.map(({ id, kind, text, most, asked, options }) => {
        const change = (value: number | string | null) => onChange({ ...values, [id]: value ?? '' });
        const common = {
          label: textIn(text, language),
          description: asked ? undefined : say('notAsked'),
        };
        const value = values[id] ?? '';
        if (kind === 'choice') {
          return (
            <Select
              key={id}
              {...common}
              clearable
              placeholder={say('noAnswer')}
              data={options.flatMap((option) =>
                option.id ? { value: option.id, label: textIn(option.text, language) } : [],
              )}
              value={value === '' ? null : String(value)}
              onChange={change}
            />
          );
        }
        if (kind === 'number') {
          return (
            <NumberInput
              key={id}
              {...common}
              min={0}
              max={most ?? undefined}
              allowDecimal={false}
              allowNegative={false}
              value={value}
              onChange={change}
            />
          );
        }
        return (
          <Textarea
            key={id}
            {...common}
            dir="auto"
            minRows={1}
            value={value}
            onChange={({ currentTarget }) => change(currentTarget.value)}
          />
        );
      })}
    </Section>
  );
}
