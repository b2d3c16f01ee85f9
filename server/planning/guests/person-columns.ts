import type { Words } from '../../kernel/languages.ts';
import { DIETS, type Diet, type Member, sheetFields } from './fields.ts';
import { mealWords, oneMealWords } from './meal-words.ts';
import { type Cell, type SheetLanguage, textCell, yesOrNoIn } from './sheets/cells.ts';
import { normalizeWord, wordSet } from './sheets/words.ts';

interface PersonColumn {
  label: Words;
  headings: Readonly<Record<SheetLanguage, readonly string[]>>;
  cell: Cell<never>;
}

const YES_NO: Readonly<Record<SheetLanguage, readonly [yes: string, no: string]>> = {
  hebrew: ['כן', 'לא'],
  arabic: ['نعم', 'لا'],
  english: ['yes', 'no'],
};

const yesOrNoCell: Cell<boolean> = {
  read: (_field, [text]) => yesOrNoIn(text),
  write: (value, language) => YES_NO[language][value ? 0 : 1],
};

/** Words for a meal that lists with one row a person have, beside the headings of the meals' numbers. */
const MORE_WORDS: Partial<Record<Diet, readonly string[]>> = {
  kosher: ['kosher', 'kosher meal', 'כשר', 'כשרה', 'كوشير'],
  childrens_meals: [
    'kids meal',
    'kid meal',
    'kids',
    'child',
    'childs meal',
    'children',
    'ילדים',
    'ילד',
    'أطفال',
  ],
};
const DIET_WORDS = DIETS.map((diet) => {
  const named = [oneMealWords, mealWords].flatMap((all) => Object.values(all).map((one) => one[diet]));
  const headings = Object.values(sheetFields[diet].headings).flat();
  return [diet, wordSet([...named, ...headings, ...(MORE_WORDS[diet] ?? [])])] as const;
});

const REGULAR = wordSet([
  'regular',
  'standard',
  'normal',
  'none',
  'רגיל',
  'רגילה',
  'רגילות',
  'عادي',
  'عادية',
]);

function dietIn(text: string): Diet | undefined {
  return DIET_WORDS.find(([, words]) => words.has(normalizeWord(text)))?.[0];
}

/** Cell for the meal of one person. Other meals of a menu, such as `Chicken`, go into the note. */
const mealCell: Cell<Member['meal']> = {
  read: (_field, [text]) => dietIn(text),
  rest: (texts) => texts.map((text) => (dietIn(text) || REGULAR.has(normalizeWord(text)) ? '' : text)),
  write: (value, language) => (value === null ? '' : oneMealWords[language][value]),
};

/** Columns of a list with one row a person that are about the person. */
export const personColumns = {
  person: {
    label: { he: 'שם האדם', ar: 'اسم الشخص', en: 'Person' },
    headings: { hebrew: ['שם האדם'], arabic: ['اسم الشخص'], english: ['person', 'person name'] },
    cell: textCell,
  },
  person_child: {
    label: { he: 'ילד/ה', ar: 'طفل', en: 'Child' },
    headings: { hebrew: ['ילד', 'האם ילד'], arabic: ['طفل'], english: ['child', 'is child'] },
    cell: yesOrNoCell,
  },
  person_meal: {
    label: { he: 'מנה', ar: 'الوجبة', en: 'Meal' },
    headings: {
      hebrew: ['מנה', 'בחירת מנה', 'מנה עיקרית', 'סוג מנה'],
      arabic: ['الوجبة', 'اختيار الوجبة'],
      english: [
        'meal',
        'meal choice',
        'meal selection',
        'menu choice',
        'entree',
        'entree choice',
        'dinner choice',
      ],
    },
    cell: mealCell,
  },
  person_allergies: {
    label: { he: 'אלרגיות של האדם', ar: 'حساسية الشخص', en: 'Person’s allergies' },
    headings: { hebrew: ['אלרגיות של האדם'], arabic: ['حساسية الشخص'], english: ['person allergies'] },
    cell: textCell,
  },
  person_coming: {
    label: { he: 'האדם מגיע', ar: 'الشخص سيحضر', en: 'Person coming' },
    headings: { hebrew: ['האדם מגיע'], arabic: ['الشخص سيحضر'], english: ['person coming'] },
    cell: yesOrNoCell,
  },
} as const satisfies Readonly<Record<string, PersonColumn>>;
