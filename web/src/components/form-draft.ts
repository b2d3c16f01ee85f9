import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { useLanguage } from '../lib/language-context.tsx';
import { problemOf } from '../lib/problems.ts';
import { readStored, writeStored } from '../lib/stored-value.ts';

export interface FormDraft<V extends object> {
  form: UseFormReturnType<V>;
  /** Whether something typed before a reload is there again. */
  wasKept: boolean;
  /** Once it is stored. */
  forget(): void;
  startOver(): void;
}

/** A form whose values outlive a reload of this tab. */
export function useFormDraft<V extends object>(
  keptAs: string,
  initial: V,
  validate: (values: V) => FormErrors,
): FormDraft<V> {
  const [kept, setKept] = useState(() => fitting(readStored<unknown>(keptAs), initial));
  const form = useForm<V>({
    initialValues: { ...initial, ...kept },
    validate,
    onValuesChange: (values) => writeStored(keptAs, isSame(values, initial) ? undefined : values),
  });
  const forget = () => {
    setKept(undefined);
    writeStored(keptAs, undefined);
  };
  const startOver = () => {
    form.setValues(initial);
    form.clearErrors();
    forget();
  };
  return { form, wasKept: kept !== undefined, forget, startOver };
}

/** What was kept of a form as it is now: one of another version of this page may have other kinds of values. */
function fitting<V extends object>(kept: unknown, initial: V): Partial<V> | undefined {
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return undefined;
  const those = Object.entries(kept).filter(
    ([name, value]) => name in initial && isOfKind(value, initial[name as keyof V]),
  );
  return those.length > 0 ? (Object.fromEntries(those) as Partial<V>) : undefined;
}

/** A number field is empty as a text, a day as null. */
function isOfKind(value: unknown, initial: unknown): boolean {
  if (Array.isArray(initial)) return Array.isArray(value);
  if (typeof initial === 'object' && initial !== null) return typeof value === 'object' && value !== null;
  if (typeof initial === 'boolean') return typeof value === 'boolean';
  if (value === null || typeof value === 'string') return true;
  return typeof value === 'number' && (typeof initial === 'number' || initial === '');
}

/** A list of texts is the same with the same texts in it. */
const isSame = (one: object, other: object): boolean =>
  Object.entries(one).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(other[name as keyof object]),
  );

/**
 * Says what the server has against a field at that field, and goes there; gives back the error that is about none of the
 * form's.
 */
export function useFieldProblem<V extends object>(
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
    form.setErrors({ ...form.errors, [field]: problem.complaint });
    focusOn(form, field);
  }, [error]);
  return isAtField ? undefined : error;
}

/** Where the first thing stands that is wrong; in the middle, so that no bar is before it or before what is said of it. */
export function focusOn<V extends object>({ getInputNode }: UseFormReturnType<V>, field: string | undefined) {
  const node = field && (getInputNode as (path: string) => HTMLElement | null)(field);
  if (!node) return;
  node.focus({ preventScroll: true });
  node.scrollIntoView({ block: 'center' });
}
