import { DraftForm, type FormState } from '../../../components/draft-form.tsx';
import { useFormDraft } from '../../../components/form-draft.ts';
import { useWords } from '../../../lib/language-context.tsx';
import { useSeesContacts } from '../../events/api/access.ts';
import { words } from '../words.ts';
import { ContactFields } from './guest-contact-fields.tsx';
import { AnswerSection, MealsSection, NotesSection, PartySection } from './guest-form-fields.tsx';
import { MembersSection } from './guest-form-members.tsx';
import { QuestionsSection } from './guest-form-questions.tsx';
import { fieldOfGuest, type GuestValues } from './guest-values.ts';

interface GuestFormProps extends FormState<GuestValues> {
  eventId: string;
  /** Label of the guest form's save button; undefined if the form is read-only. */
  submit: string | undefined;
  actions?: React.ReactNode;
  /** True to focus the field for the guest's name when the form opens. */
  withFocus?: boolean;
}

export function GuestForm({ eventId, draftKey, initial, withFocus = false, ...state }: GuestFormProps) {
  const say = useWords(words);
  const draft = useFormDraft<GuestValues>(draftKey, initial, ({ name }) =>
    name.trim() ? {} : { name: say('missing') },
  );
  const { form } = draft;
  const seesContacts = useSeesContacts(eventId);
  return (
    <DraftForm {...state} draft={draft} fieldOf={fieldOfGuest} isLong gap="lg">
      <ContactFields form={form} withFocus={withFocus} seesContacts={seesContacts} />
      <AnswerSection form={form} wasWaiting={initial.answer === 'waiting'} />
      <PartySection form={form} eventId={eventId} />
      <MembersSection form={form} eventId={eventId} />
      <MealsSection form={form} eventId={eventId} />
      <QuestionsSection
        eventId={eventId}
        values={form.values.answers}
        onChange={(answers) => form.setFieldValue('answers', answers)}
      />
      <NotesSection
        form={form}
        eventId={eventId}
        hasMessage={initial.message !== ''}
        seesContacts={seesContacts}
      />
    </DraftForm>
  );
}
