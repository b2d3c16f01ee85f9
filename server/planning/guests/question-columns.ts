import { type FieldType, text, textInLanguage, wholeNumber } from '../../kernel/field-types.ts';
import { FieldProblem } from '../../kernel/fields.ts';
import { complaintTexts } from '../../kernel/http/messages.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Words } from '../../kernel/languages.ts';
import { type Answers, answerText, type GuestQuestion, LONGEST_ANSWER } from '../questions/answers.ts';
import { QUESTION_LIMITS } from '../questions/fields.ts';
import { messages } from './messages.ts';
import { normalizeLetters } from './normalize-letters.ts';
import type { SheetLanguage } from './sheets/cells.ts';

// Columns of a guest list that hold the answers to the event's own questions.

/** Prefix of a question's heading, so that an import does not take it for a guest field of the same name. */
const QUESTION: Readonly<Record<SheetLanguage, string>> = {
  hebrew: 'שאלה',
  arabic: 'سؤال',
  english: 'Question',
};

export function questionHeading({ text }: Pick<GuestQuestion, 'text'>, language: SheetLanguage): string {
  return `${QUESTION[language]}: ${textInLanguage(text, language, language)}`;
}

/** Headings by which an import recognizes a question's column: those of an export, or the question itself. */
export interface QuestionColumn {
  id: string;
  headings: readonly string[];
}

export function questionColumns(questions: readonly GuestQuestion[]): QuestionColumn[] {
  return questions.map((question) => {
    const exported = LANGUAGE_NAMES.map((language) => questionHeading(question, language));
    return { id: question.id, headings: [...exported, ...Object.values(question.text)] };
  });
}

/**
 * Applies the answers in a row's cells, by question id, to a guest's stored answers. A cell that has the stored
 * answer's words changes nothing. Throws a FieldProblem for a value that the question does not accept; cells of
 * deleted questions are ignored.
 */
export function applyAnswerCells(
  questions: readonly GuestQuestion[],
  cells: Readonly<Record<string, string>>,
  before: Answers,
): Answers {
  const given = Object.entries(cells).flatMap(([id, cell]) => {
    const question = questions.find((one) => one.id === id);
    if (!question) return [];
    const isSaid = LANGUAGE_NAMES.some(
      (language) => answerText(question, before[id], language).trim() === cell,
    );
    return isSaid ? [] : [[id, answerIn(question, cell)] as const];
  });
  return { ...before, ...Object.fromEntries(given) };
}

function answerIn(question: GuestQuestion, cell: string): string | number {
  const { id, kind, options, most } = question;
  try {
    if (kind === 'text') return text(LONGEST_ANSWER).read(id, cell);
    if (kind === 'number') return ofNumber(most ?? QUESTION_LIMITS.number).read(id, cell);
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    throw unreadable(question, cell, (language) => complaintTexts[language](error.complaint));
  }
  const normalized = normalizeLetters(cell);
  const chosen = options.find((option) =>
    Object.values(option.text).some((one) => normalizeLetters(one) === normalized),
  );
  if (chosen) return chosen.id;
  throw unreadable(question, cell, (language, name) =>
    messages.accepted[language](options.map((option) => textInLanguage(option.text, name, name))),
  );
}

/** Reads a whole number that answers an event's question from a spreadsheet cell, where it may be written as `2.0`. */
function ofNumber(most: number): Pick<FieldType<number>, 'read'> {
  const number = wholeNumber(0, most);
  return {
    read: (field, cell) => number.read(field, /^\d+(\.0+)?$/.test(String(cell)) ? Number(cell) : cell),
  };
}

const LONGEST_QUOTED = 60;

function unreadable(
  { text }: GuestQuestion,
  cell: string,
  sentence: (language: (typeof LANGUAGES)[number], name: SheetLanguage) => string,
): FieldProblem {
  const quoted = cell.length > LONGEST_QUOTED ? `${cell.slice(0, LONGEST_QUOTED)}…`.toWellFormed() : cell;
  const words = LANGUAGES.map((language, index) => {
    const name = LANGUAGE_NAMES[index] ?? 'hebrew';
    const asked = textInLanguage(text, name, name);
    return [language, `"${asked}": ${sentence(language, name)} ${messages.quoted[language](quoted)}`];
  });
  return new FieldProblem('answers', { kind: 'own', words: Object.fromEntries(words) as Words });
}
