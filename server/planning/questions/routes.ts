import type { onRequestAsyncHookHandler } from 'fastify';
import type { Kysely } from 'kysely';
import { fieldsAmong } from '../../kernel/fields.ts';
import type { Server } from '../../kernel/http/app.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { changesBetween } from '../../kernel/writes/history.ts';
import { entityTag } from '../../kernel/writes/preconditions.ts';
import { eventReadableWithoutContacts } from '../events/access.ts';
import { serveArea } from '../events/area.ts';
import { type EventWriter, REMOVED } from '../events/write.ts';
import {
  createQuestionSchema,
  deleteQuestionSchema,
  listQuestionsSchema,
  Question,
  readQuestionSchema,
  sharedSchemas,
  updateQuestionSchema,
} from './contract.ts';
import { QUESTION_LIMITS, questionFields, readQuestion } from './fields.ts';
import { messages } from './messages.ts';
import {
  addQuestion,
  changeQuestion,
  findQuestion,
  isOptionChosen,
  listQuestions,
  removeQuestion,
  type StoredQuestion,
} from './store.ts';

const SUBJECT = 'question';

export interface QuestionParts {
  db: Kysely<unknown>;
  writer: EventWriter;
  authenticate: onRequestAsyncHookHandler;
}

/** Routes of an event's own questions to its guests. */
export function serveQuestions(server: Server, { db, writer, authenticate }: QuestionParts): void {
  for (const schema of sharedSchemas) server.app.addSchema(schema);

  serveArea(server, authenticate, '/api/events/:id/questions', (area) => {
    area.get('', { schema: listQuestionsSchema }, async ({ caller, params }) => {
      const event = await eventReadableWithoutContacts(db, caller, params.id);
      return { questions: await listQuestions(db, event.id) };
    });

    area.post('', { schema: createQuestionSchema }, (request, reply) =>
      writer.change(request, reply, async ({ transaction, event, now, note }) => {
        const asking = readQuestion(fieldsAmong(questionFields, request.body));
        const { length } = await listQuestions(transaction, event.id);
        if (length >= QUESTION_LIMITS.questions) throw new Refusal(409, 'too_many', messages.tooMany);
        const { question, version } = await addQuestion(transaction, event.id, asking, now);
        note(SUBJECT, question.id, 'created');
        const location = `/api/events/${event.id}/questions/${question.id}`;
        return { status: 201, headers: { location }, version, body: { question } };
      }),
    );

    area.get('/:questionId', { schema: readQuestionSchema }, async ({ caller, params }, reply) => {
      const event = await eventReadableWithoutContacts(db, caller, params.id);
      const { question, version } = requireQuestion(await findQuestion(db, event.id, params.questionId));
      reply.header('etag', entityTag(version));
      return { question };
    });

    area.put('/:questionId', { schema: updateQuestionSchema }, (request, reply) =>
      writer.change(request, reply, async ({ transaction, event, now, note, unchanged }) => {
        const { questionId } = request.params;
        const before = requireQuestion(await findQuestion(transaction, event.id, questionId));
        const { id } = before.question;
        const asking = readQuestion(fieldsAmong(Question.properties, request.body), before.question);
        const left = before.question.options.filter(
          (option) => !asking.options.some((remaining) => remaining.id === option.id),
        );
        const gone = left.map((option) => option.id);
        if (await isOptionChosen(transaction, event.id, id, gone)) {
          throw new Refusal(409, 'option_chosen', messages.optionChosen, { field: 'options' });
        }
        unchanged(before.version);
        if (!changesBetween(before.question, asking)) {
          return { version: before.version, body: { question: before.question } };
        }
        const after = await changeQuestion(transaction, event.id, id, asking, now);
        note(SUBJECT, id, 'changed', changesBetween(before.question, after.question));
        return { version: after.version, body: { question: after.question } };
      }),
    );

    area.delete('/:questionId', { schema: deleteQuestionSchema }, (request, reply) =>
      writer.change(request, reply, async ({ transaction, event, note, unchanged }) => {
        const { questionId } = request.params;
        const { question, version } = requireQuestion(await findQuestion(transaction, event.id, questionId));
        unchanged(version);
        await removeQuestion(transaction, event.id, question.id);
        note(SUBJECT, question.id, 'deleted', { text: { from: question.text, to: null } });
        return REMOVED;
      }),
    );
  });
}

function requireQuestion(question: StoredQuestion | undefined): StoredQuestion {
  if (!question) throw new Refusal(404, 'not_found', messages.noSuchQuestion);
  return question;
}
