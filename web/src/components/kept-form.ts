import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { readKept, writeKept } from '../lib/kept.ts';
import { useLanguage } from '../lib/language-context.tsx';
import { problemOf } from '../lib/problems.ts';

export type FormValues = Record<string, string | number | boolean | null | readonly object[]>;

export interface KeptForm<V extends FormValues> {
  form: UseFormReturnType<V>;
  /** Whether something typed before a reload is there again. */
  wasKept: boolean;
  /** Once it is stored. */
  forget(): void;
  startOver(): void;
}

/** A form whose values outlive a reload of this tab. */
export function useKeptForm<V extends FormValues>(
  keptAs: string,
  initial: V,
  validate: (values: V) => FormErrors,
): KeptForm<V> {
  const [kept, setKept] = useState(() => readKept<V>(keptAs));
  const form = useForm<V>({
    initialValues: { ...initial, ...kept },
    validate,
    onValuesChange: (values) => writeKept(keptAs, isSame(values, initial) ? undefined : values),
  });
  const forget = () => {
    setKept(undefined);
    writeKept(keptAs, undefined);
  };
  const startOver = () => {
    form.setValues(initial);
    form.clearErrors();
    forget();
  };
  return { form, wasKept: kept !== undefined, forget, startOver };
}

const isSame = (one: FormValues, other: FormValues): boolean =>
  Object.entries(one).every(([name, value]) => JSON.stringify(value) === JSON.stringify(other[name]));

/**
 * Says what the server has against a field at that field, and goes there; gives back the error that is about none of the
 * form's.
 */
export function useFieldProblem<V extends FormValues>(
  form: UseFormReturnType<V>,
  error: unknown,
  fieldOf: (field: string) => string = (field) => field,
): unknown {
  const { language } = useLanguage();
  const problem = error ? problemOf(error, language) : undefined;
  const field = problem?.field && fieldOf(problem.field);
  const isAtField = field !== undefined && field in form.values;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once for each answer
  useEffect(() => {
    if (!problem || !isAtField) return;
    form.setErrors({ ...form.errors, [field]: problem.sentence });
    focusOn(form, field);
  }, [error]);
  return isAtField ? undefined : error;
}

/** Where the first thing stands that is wrong. */
export function focusOn<V extends FormValues>(
  { getInputNode }: UseFormReturnType<V>,
  field: string | undefined,
) {
  if (field) (getInputNode as (path: string) => HTMLElement | null)(field)?.focus();
}
