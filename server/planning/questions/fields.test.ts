import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSchemaAgrees, ruleForFields, TEXT_RULES } from '../../../test/support/schema-agreement.ts';
import { FieldProblem } from '../../kernel/fields.ts';
import { answerText, applyAnswers, type GuestQuestion } from './answers.ts';
import { createQuestionSchema } from './contract.ts';
import { readQuestion } from './fields.ts';

const OPTIONS = [{ text: 'כן' }, { text: { hebrew: 'לא', english: 'No' } }];

test('what fits the schema of a new question is refused by a named rule alone, and what does not is refused', () => {
  assertSchemaAgrees({
    schema: createQuestionSchema.body,
    read: (body) => readQuestion(body),
    rules: {
      ...TEXT_RULES,
      missing: ruleForFields('text'),
      // Fields depend on the kind of question, and a choice has at least two options.
      own: (field) => field === 'most' || field.startsWith('options'),
    },
    telling: ['choice', 'number', 'text', 'הסעה?', OPTIONS, [...OPTIONS, { id: 'x', text: 'אולי' }]],
    always: { kind: 'text', text: 'הסעה?' },
  });
});

test('options keep their ids when a question is changed, and get new ones where they have none', () => {
  const made = readQuestion({ kind: 'choice', text: 'הסעה?', options: OPTIONS });
  const [first, second] = made.options;
  assert.ok(first && second && first.id !== second.id);
  const changed = readQuestion(
    { options: [{ text: 'אולי' }, { id: second.id, text: 'לא, תודה' }], position: 2 },
    made,
  );
  assert.equal(changed.options[1]?.id, second.id);
  assert.deepEqual([changed.kind, changed.text.english], ['choice', 'הסעה?']);
  const wrong = (body: object) => assert.throws(() => readQuestion({ ...body }, made), FieldProblem);
  wrong({
    options: [
      { id: first.id, text: 'א' },
      { id: first.id, text: 'ב' },
    ],
  });
  wrong({ options: [{ id: 'of another', text: 'א' }, { text: 'ב' }] });
  wrong({ options: [{ text: 'א' }] });
  wrong({ most: 3 });
});

test('an answer is judged by its question; what is not named stays, and null takes one back', () => {
  const questions: GuestQuestion[] = [
    { ...made('choice'), id: 'bus', options: [{ id: 'yes', text: { hebrew: 'כן', english: 'Yes' } }] },
    { ...made('number'), id: 'beds', most: 4 },
    { ...made('text'), id: 'song' },
  ];
  const before = { bus: 'yes', beds: 2 };
  assert.deepEqual(applyAnswers(questions, before, { beds: 0, song: ' הורה ' }), {
    bus: 'yes',
    beds: 0,
    song: 'הורה',
  });
  assert.deepEqual(applyAnswers(questions, before, { bus: null, song: '' }), { beds: 2 });
  for (const wrong of [{ bus: 'no' }, { beds: 5 }, { beds: '2' }, { song: 'א'.repeat(501) }, { other: 1 }]) {
    const [[id] = []] = Object.entries(wrong);
    assert.throws(
      () => applyAnswers(questions, before, wrong as never),
      (error) => error instanceof FieldProblem && error.field === `answers.${id}`,
    );
  }
  const [bus] = questions as [GuestQuestion];
  assert.deepEqual(
    [
      answerText(bus, 'yes', 'english'),
      answerText(bus, 'yes', 'arabic'),
      answerText(bus, undefined, 'hebrew'),
    ],
    ['Yes', 'כן', ''],
  );
});

function made(kind: GuestQuestion['kind']): Omit<GuestQuestion, 'id'> {
  return { kind, text: { hebrew: '?' }, options: [], most: null, asked: true };
}
