import { TextInput, type TextInputProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useWords } from '../lib/language-context.tsx';
import { typedTime } from '../lib/time-of-day.ts';
import { words } from './words.ts';

export interface TimeInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'error'> {
  value?: string;
  error?: ReactNode;
  onChange(value: string): void;
}

/**
 * A time of day as `19:30`, of 24 hours whatever the browser's are. What is typed is told as a time once it is one, and else
 * as it stands, so that nothing of it is lost.
 */
export function TimeInput({ value = '', error, onChange, onBlur, ...props }: TimeInputProps) {
  const say = useWords(words);
  const [typed, setTyped] = useState<string>();
  const isNone = value !== '' && typedTime(value) === undefined;
  const isWrong = isNone && (typed === undefined || Boolean(error));
  return (
    <TextInput
      dir="ltr"
      inputMode="numeric"
      autoComplete="off"
      maxLength={8}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...props}
      value={typed ?? value}
      error={isWrong ? say('notTime') : error}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(typedTime(currentTarget.value) ?? currentTarget.value);
      }}
      onBlur={(event) => {
        setTyped(undefined);
        onBlur?.(event);
      }}
    />
  );
}
