import { Button, Group, Stack } from '@mantine/core';
import { DraftNote } from '../../../components/draft-note.tsx';
import { focusOn, useFieldProblem, useFormDraft } from '../../../components/form-draft.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';
import { VendorFields } from './vendor-fields.tsx';
import { fieldOfVendor, type VendorValues } from './vendor-values.ts';

interface VendorFormProps {
  draftKey: string;
  initial: VendorValues;
  submit: string;
  isPending: boolean;
  error: unknown;
  onSubmit(values: VendorValues): void;
}

export function VendorForm({ draftKey, initial, submit, isPending, error, onSubmit }: VendorFormProps) {
  const say = useWords(words);
  const { form, wasRestored, startOver } = useFormDraft<VendorValues>(draftKey, initial, (values) => ({
    ...(!values.name.trim() && { name: say('missing') }),
    ...(!values.kind && { kind: say('missing') }),
  }));
  const problem = useFieldProblem(form, error, fieldOfVendor);
  return (
    <form noValidate onSubmit={form.onSubmit(onSubmit, (errors) => focusOn(form, Object.keys(errors)[0]))}>
      <Stack gap="md">
        {wasRestored && <DraftNote onStartOver={startOver} />}
        <VendorFields form={form} />
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
