import { test } from 'node:test';
import { assertSchemaAgrees, ruleForFields, TEXT_RULES } from '../../../test/support/schema-agreement.ts';
import { readGiven } from '../../kernel/field-types.ts';
import { UNANSWERED } from '../guests/capacity/allocation.ts';
import { DIETS, NO_DETAILS } from '../guests/fields.ts';
import { answerSchema, updateSettingsSchema } from './contract.ts';
import { settingsFields } from './fields.ts';
import { type AnswerOptions, readAnswer } from './input.ts';

const ASKS_ALL: AnswerOptions = {
  children_asked: true,
  food_asked: true,
  names_asked: true,
  kashrut_level: 'none',
  language_pref: 'hebrew',
};
const NOBODY = { ...NO_DETAILS, ...UNANSWERED };

test('what fits the schema of a guest’s answer is refused by a named rule alone, and what does not is refused', () => {
  assertSchemaAgrees({
    schema: answerSchema.body,
    read: (body) => readAnswer(body, NOBODY, ASKS_ALL),
    rules: {
      ...TEXT_RULES,
      integer: (field, value, { coming = 1 }) =>
        field === 'coming_children' && Number(value) > Number(coming),
      // Too many meals for the people who eat them, or a meal that the event does not offer.
      own: (_field, _value, { coming = 1, coming_children, ...body }) =>
        Number(body.chalav_yisrael ?? 0) > 0 ||
        body.members !== undefined ||
        Number(body.childrens_meals ?? 0) > Number(coming_children ?? 0) ||
        DIETS.reduce((sum, diet) => sum + Number(body[diet] ?? 0), 0) > Number(coming),
    },
    // The number of people is ignored unless the answer is yes.
    meant: ({ coming, coming_children, ...body }) =>
      body.rsvp_status === 'declined' || body.rsvp_status === 'maybe'
        ? body
        : {
            ...body,
            ...(coming !== undefined && { coming }),
            ...(coming_children !== undefined && { coming_children }),
          },
    telling: ['confirmed', 'declined', 'maybe', 'mehadrin', 'אגוזים', 'a'.repeat(501)],
    always: { rsvp_status: 'confirmed' },
  });
});

test('what fits the schema of the settings is refused by a named rule alone, and what does not is refused', () => {
  assertSchemaAgrees({
    schema: updateSettingsSchema.body,
    read: (body) => readGiven(settingsFields, body),
    rules: { date_time: ruleForFields('answer_until') },
    blankCounts: true,
    // A blank time counts as none; a blank slug is invalid.
    meant: (body) =>
      typeof body.answer_until === 'string' && body.answer_until.trim() === ''
        ? { ...body, answer_until: null }
        : body,
    telling: ['2027-06-01T23:59', '2027-02-31T10:00', 'noa-and-itay', 'no', 'Noa', 'noa-', 'a'.repeat(61)],
  });
});
