import { DraftForm, type FormState } from '../../../components/draft-form.tsx';
import { useFormDraft } from '../../../components/form-draft.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { words } from '../words.ts';
import { VendorFields } from './vendor-fields.tsx';
import { fieldOfVendor, type VendorValues } from './vendor-values.ts';

interface VendorFormProps extends FormState<VendorValues> {
  submit: string;
}

export function VendorForm({ draftKey, initial, ...state }: VendorFormProps) {
  const say = useWords(words);
  const draft = useFormDraft<VendorValues>(draftKey, initial, (values) => ({
    ...(!values.name.trim() && { name: say('missing') }),
    ...(!values.kind && { kind: say('missing') }),
  }));
  return (
    <DraftForm {...state} draft={draft} fieldOf={fieldOfVendor}>
      <VendorFields form={draft.form} />
    </DraftForm>
  );
}
