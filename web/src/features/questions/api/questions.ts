import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  createQuestion,
  deleteQuestion,
  type NewQuestion,
  type Question,
  type QuestionChanges,
  type RsvpSettings,
  readQuestion,
  updateQuestion,
  updateRsvpSettings,
} from 'simcha-client';
import { client } from '../../../lib/api.ts';
import { questionsQuery, rsvpSettingsQuery } from '../../guests/api/guests.ts';

/** Maximum number of questions that the server accepts for an event. */
export const MOST_QUESTIONS = 20;

export interface ReadQuestion {
  question: Question;
  etag: string;
}

export const questionQuery = (eventId: string, questionId: string) =>
  queryOptions({
    queryKey: ['event', eventId, 'question', questionId],
    async queryFn({ signal }): Promise<ReadQuestion> {
      const { data, response } = await readQuestion({ client, signal, path: { id: eventId, questionId } });
      return { question: data.question, etag: response.headers.get('etag') ?? '' };
    },
  });

/** Reloads all queries that depend on an event's questions, such as counts and history. */
const readAgain = (queries: QueryClient, eventId: string) =>
  queries.invalidateQueries({
    queryKey: ['event', eventId],
    predicate: ({ queryKey }) => queryKey.length > 2,
  });

export function useAddQuestion(eventId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ body, key }: { body: NewQuestion; key: string }) =>
      (
        await createQuestion({
          client,
          path: { id: eventId },
          body,
          headers: { 'idempotency-key': key },
        })
      ).data.question,
    onSuccess: () => readAgain(queries, eventId),
  });
}

interface QuestionChange {
  id: string;
  body: QuestionChanges;
  /** Version of the question. Missing for changes that fit every version, such as moving the question. */
  etag?: string;
}

/**
 * Changes a question. A new position, or whether it is asked, is shown at once and taken back if the server refuses.
 */
export function useChangeQuestion(eventId: string) {
  const queries = useQueryClient();
  const { queryKey } = questionsQuery(eventId);
  return useMutation({
    async mutationFn({ id, body, etag }: QuestionChange): Promise<ReadQuestion> {
      const { data, response } = await updateQuestion({
        client,
        path: { id: eventId, questionId: id },
        body,
        ...(etag && { headers: { 'if-match': etag } }),
      });
      return { question: data.question, etag: response.headers.get('etag') ?? '' };
    },
    async onMutate({ id, body: { position, asked } }) {
      await queries.cancelQueries({ queryKey });
      const before = queries.getQueryData(queryKey);
      const one = before?.find((question) => question.id === id);
      if (before && one) {
        const others = before.filter((question) => question !== one);
        const place = position ? position - 1 : before.indexOf(one);
        queries.setQueryData(queryKey, others.toSpliced(place, 0, { ...one, asked: asked ?? one.asked }));
      }
      return before;
    },
    onError(_error, _change, before) {
      if (before) queries.setQueryData(queryKey, before);
    },
    onSuccess(read) {
      queries.setQueryData(questionQuery(eventId, read.question.id).queryKey, read);
    },
    onSettled: () => readAgain(queries, eventId),
  });
}

export function useRemoveQuestion(eventId: string) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn(questionId: string): Promise<void> {
      await deleteQuestion({ client, path: { id: eventId, questionId } });
    },
    onSuccess(_done, questionId) {
      queries.removeQueries({ queryKey: questionQuery(eventId, questionId).queryKey });
      return readAgain(queries, eventId);
    },
  });
}

/** Changes the standard questions to guests (children, meals). The page shows the change at once. */
export function useChangeStandardQuestions(eventId: string) {
  const queries = useQueryClient();
  const { queryKey } = rsvpSettingsQuery(eventId);
  return useMutation({
    mutationFn: async (body: Partial<Pick<RsvpSettings, 'children' | 'meals' | 'ask_names'>>) =>
      (await updateRsvpSettings({ client, path: { id: eventId }, body })).data.settings,
    async onMutate(body) {
      await queries.cancelQueries({ queryKey });
      const before = queries.getQueryData(queryKey);
      if (before) queries.setQueryData(queryKey, { ...before, ...body });
      return before;
    },
    onError(_error, _body, before) {
      if (before) queries.setQueryData(queryKey, before);
    },
    onSettled: () => readAgain(queries, eventId),
  });
}
