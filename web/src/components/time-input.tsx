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
 * Field for a time of day as `19:30`, with 24 hours whatever the browser's locale says. Input that is not yet a time is
 * passed on as typed, so that nothing is lost.
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
