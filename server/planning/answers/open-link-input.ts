import * as fieldTypes from '../../kernel/field-types.ts';
import { readWhole, type ValuesOf } from '../../kernel/field-types.ts';
import { FieldProblem, invalidField } from '../../kernel/fields.ts';
import type { LanguageName } from '../../kernel/languages.ts';
import { NO_DETAILS } from '../guests/fields.ts';
import { identifyMembers, refuseFewerThanMembers } from '../guests/members.ts';
import { type Answers, applyAnswers, type GuestQuestion } from '../questions/answers.ts';
import { askerFields, type settingsFields, strangerFields } from './fields.ts';
import {
  type AnswerOptions,
  readMemberRows,
  readPartyForm,
  refuseMoreChildren,
  refuseMoreMeals,
} from './input.ts';
import { messages } from './messages.ts';
import { readAnswersForm } from './question-form.ts';

/** Person who is not on the guest list and asks to come. */
export interface Asker extends ValuesOf<typeof askerFields> {
  language: LanguageName;
  coming: number;
  answers: Answers;
}

/** Organizer's settings for people who come through the event's open link. */
export type OpenLinkTerms = Pick<
  ValuesOf<typeof settingsFields>,
  'registration' | 'accept_by_itself' | 'most_each'
> & {
  /** True if a request counts only once its author has confirmed the address by mail. */
  confirms_address: boolean;
};

/** True if people need an address: to confirm their request, or to get their link, once accepted automatically. */
export function requiresAddress({ accept_by_itself, confirms_address }: OpenLinkTerms): boolean {
  return accept_by_itself || confirms_address;
}

/** Reads the open link's form. A name and an email address or phone number are required. */
export function readOpenLinkRequest(
  form: URLSearchParams,
  language: LanguageName,
  { questions, ...terms }: OpenLinkTerms & AnswerOptions & { questions: readonly GuestQuestion[] },
): Asker {
  const value = (field: string) => form.get(field) ?? '';
  const { coming: _, ...numbers } = readPartyForm(form, terms);
  const howMany = value('coming').trim();
  if (howMany !== '' && !/^0*[1-9]\d*$/.test(howMany)) throw invalidField('coming', messages.wholePeople);
  const personal = Object.fromEntries(Object.keys(strangerFields).map((field) => [field, value(field)]));
  const coming = fieldTypes.wholeNumber(1, terms.most_each).read('coming', Number(howMany || 1));
  const named = terms.names_asked && readMemberRows(form, terms, NO_DETAILS, coming, value('name').trim());
  const party = { ...numbers, ...named };
  const fields = readWhole(askerFields, { ...personal, ...party });
  const members = identifyMembers(fields.members, []);
  refuseFewerThanMembers(members, 'coming', coming);
  const asker = {
    ...fields,
    members,
    language,
    coming,
    answers: applyAnswers(questions, {}, readAnswersForm(form, questions)),
  };
  refuseMoreChildren(asker.coming_children, asker.coming);
  refuseMoreMeals(asker, terms, party);
  if (requiresAddress(terms) && !asker.email) throw new FieldProblem('email', { kind: 'missing' });
  if (!asker.phone && !asker.email) throw new FieldProblem('phone', { kind: 'missing' });
  return asker;
}
