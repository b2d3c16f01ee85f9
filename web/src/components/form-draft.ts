import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { useLanguage } from '../lib/language-context.tsx';
import { problemOf } from '../lib/problems.ts';
import { readStored, writeStored } from '../lib/stored-value.ts';

export interface FormDraft<V extends object> {
  form: UseFormReturnType<V>;
  /** True if the form restored values that were typed before a reload of the page. */
  wasRestored: boolean;
  /** Deletes the form's draft. Called after the form was saved. */
  forget(): void;
  startOver(): void;
}

/** Form whose values survive a reload of the browser tab. */
export function useFormDraft<V extends object>(
  draftKey: string,
  initial: V,
  validate: (values: V) => FormErrors,
): FormDraft<V> {
  const [stored, setStored] = useState(() => fitting(readStored<unknown>(draftKey), initial));
  const form = useForm<V>({
    initialValues: { ...initial, ...stored },
    validate,
    onValuesChange: (values) => writeStored(draftKey, isSame(values, initial) ? undefined : values),
  });
  const forget = () => {
    setStored(undefined);
    writeStored(draftKey, undefined);
  };
  const startOver = () => {
    form.setValues(initial);
    form.clearErrors();
    forget();
  };
  return { form, wasRestored: stored !== undefined, forget, startOver };
}

/** Stored values that fit the form's fields. Another version of the console may have stored values of other types. */
function fitting<V extends object>(stored: unknown, initial: V): Partial<V> | undefined {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return undefined;
  const fit = Object.entries(stored).filter(
    ([name, value]) => name in initial && isOfKind(value, initial[name as keyof V]),
  );
  return fit.length > 0 ? (Object.fromEntries(fit) as Partial<V>) : undefined;
}

/** True if a stored value fits its form field: an empty number field holds '', an empty day field null. */
function isOfKind(value: unknown, initial: unknown): boolean {
  if (Array.isArray(initial)) return Array.isArray(value);
  if (typeof initial === 'object' && initial !== null) return typeof value === 'object' && value !== null;
  if (typeof initial === 'boolean') return typeof value === 'boolean';
  if (value === null || typeof value === 'string') return true;
  return typeof value === 'number' && (typeof initial === 'number' || initial === '');
}

/** Compares the values of two forms by their JSON, so that lists with equal texts are equal. */
const isSame = (one: object, other: object): boolean =>
  Object.entries(one).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(other[name as keyof object]),
  );

/**
 * Shows the server's error at the field that it is about, and moves the focus there. Returns the errors that concern no
 * field of the form.
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown once for each answer
  useEffect(() => {
    if (!problem || !isAtField) return;
    form.setErrors({ ...form.errors, [field]: problem.complaint });
    focusOn(form, field);
  }, [error]);
  return isAtField ? undefined : error;
}

/** Focuses a form field and scrolls it to the middle, so that no bar hides the field or its error. */
export function focusOn<V extends object>({ getInputNode }: UseFormReturnType<V>, field: string | undefined) {
  const node = field && (getInputNode as (path: string) => HTMLElement | null)(field);
  if (!node) return;
  node.focus({ preventScroll: true });
  node.scrollIntoView({ block: 'center' });
}
