import { type Static, Type } from 'typebox';
import { exampleOf } from '../../kernel/field-types.ts';
import { bodyOf, inputFields, outputFields } from '../../kernel/http/field-schemas.ts';
import { exampleTimes, timestampSchemas, uuidSchema } from '../../kernel/http/shapes.ts';
import { eventRecordFrames, eventRecordParams } from '../events/area.ts';
import { changeableFields, type QuestionOption, questionFields } from './fields.ts';

/** Schemas of an event's own questions. */

const { position: _, options, ...shown } = outputFields(questionFields);

export const Question = Type.Object(
  {
    id: uuidSchema(),
    ...shown,
    options: Type.Unsafe<QuestionOption[]>(options),
    position: Type.Integer({ description: questionFields.position.shown }),
    ...timestampSchemas,
  },
  {
    $id: 'Question',
    examples: [{ id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2c00', ...exampleOf(questionFields), ...exampleTimes }],
  },
);
export type Question = Static<typeof Question>;

export const sharedSchemas = [Question];

const questions = eventRecordFrames({
  tags: ['guests'],
  key: 'question',
  params: eventRecordParams('questionId'),
  record: Question,
});

export const listQuestionsSchema = questions.list(
  {
    operationId: 'listQuestions',
    summary: 'List the questions an event asks its guests',
    answer: 'All of them, in their order.',
  },
  'questions',
);

export const createQuestionSchema = questions.create(
  {
    operationId: 'createQuestion',
    summary: 'Add a question',
    description:
      'Guests who say yes are asked on their page and by the API of their link. At most 20 questions an event.',
    errors: { 409: 'The event has the maximum number of questions.' },
  },
  bodyOf(questionFields, {
    additionalProperties: false,
    examples: [{ kind: 'choice', text: 'הסעה מחיפה?', options: [{ text: 'כן' }, { text: 'לא' }] }],
  }),
);

export const readQuestionSchema = questions.read({ operationId: 'readQuestion', summary: 'Read a question' });

export const updateQuestionSchema = questions.replace(
  {
    operationId: 'updateQuestion',
    summary: 'Change a question',
    description:
      'Partial: an absent field keeps its value. Answers are kept as well: an option that somebody has chosen can’t be ' +
      'removed. With `asked: false` the question is no longer asked.',
    errors: { 409: 'Somebody has chosen an option that would be removed.' },
  },
  Type.Object(inputFields(changeableFields), {
    additionalProperties: false,
    examples: [{ asked: false }, { position: 1 }],
  }),
);

export const deleteQuestionSchema = questions.remove({
  operationId: 'deleteQuestion',
  summary: 'Remove a question',
  description: 'The answers to it are deleted as well.',
});
