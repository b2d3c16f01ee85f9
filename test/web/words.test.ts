import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { sayIn } from '../../web/src/lib/words.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const LANGUAGES = ['he', 'ar', 'en'] as const;
/** The forms of each language that a whole number can take. */
const FORMS = {
  he: ['one', 'two', 'other'],
  ar: ['zero', 'one', 'two', 'few', 'many', 'other'],
  en: ['one', 'other'],
};

type Words = Record<(typeof LANGUAGES)[number], string>;
type Token = string | [name: string, kind?: string, forms?: Record<string, unknown>];

const files = globSync('web/src/**/{words,*-words}.ts', { cwd: ROOT });
const catalogues = await Promise.all(
  files
    .filter((file) => file !== 'web/src/lib/words.ts')
    .map(async (file) => [file, (await import(`${ROOT}${file}`)).words as Record<string, Words>] as const),
);
const tokensOf = (sentence: string): Token[] => [compileMessage(sentence)].flat() as Token[];
const namesOf = (tokens: Token[]): string[] =>
  tokens.flatMap((token) =>
    typeof token === 'string'
      ? []
      : [
          token[0],
          ...Object.values(token[2] ?? {}).flatMap((form) => (Array.isArray(form) ? namesOf(form) : [])),
        ],
  );

test('every text of the console exists in three languages, with the same values and every plural form', () => {
  assert.ok(catalogues.length >= 5);
  for (const [file, words] of catalogues) {
    for (const [key, sentences] of Object.entries(words)) {
      const wanted = LANGUAGES.map((language) => {
        const at = `${file} ${key} (${language})`;
        const sentence = sentences[language];
        assert.ok(sentence?.trim(), at);
        assert.ok(!/[\u2068\u2069\u202a-\u202e]| {2}/.test(sentence), at);
        const tokens = tokensOf(sentence);
        for (const token of tokens)
          if (typeof token !== 'string' && token[1] === 'plural') {
            const forms = Object.keys(token[2] ?? {});
            for (const form of FORMS[language]) assert.ok(forms.includes(form), `${at}: ${form}`);
          }
        return [...new Set(namesOf(tokens))].filter((name) => name !== '#').sort();
      });
      assert.deepEqual(wanted[0], wanted[2], `${file} ${key}: Hebrew and English`);
      assert.deepEqual(wanted[1], wanted[2], `${file} ${key}: Arabic and English`);
    }
  }
});

test('a text has the right plural form, grouped digits, and names isolated from its direction', () => {
  const words = {
    guests: {
      he: '{n, plural, one {אורח אחד} two {שני אורחים} other {# אורחים}} של {name}',
      ar: '{n, plural, zero {لا ضيوف} one {ضيف} two {ضيفان} few {# ضيوف} many {# ضيفًا} other {# ضيف}} {name}',
      en: '{n, plural, one {one guest} other {# guests}} of {name}',
    },
  } as const;
  const say = (language: 'he' | 'ar' | 'en', n: number) =>
    sayIn(words, language)('guests', { n, name: 'Dana' }).replaceAll(/[\u2068\u2069]/g, '|');
  assert.equal(say('he', 2), 'שני אורחים של |Dana|');
  assert.equal(say('he', 10_000), '10,000 אורחים של |Dana|');
  assert.deepEqual(
    [0, 1, 2, 3, 11, 100].map((n) => say('ar', n)),
    ['لا ضيوف', 'ضيف', 'ضيفان', '3 ضيوف', '11 ضيفًا', '100 ضيف'].map((said) => `${said} |Dana|`),
  );
  assert.equal(say('en', 1), 'one guest of |Dana|');
});

test('names in bold in the tutorial are texts of the console', () => {
  const said = new Set(catalogues.flatMap(([, words]) => Object.values(words).map(({ en }) => en)));
  const tutorial = readFileSync(`${ROOT}docs/organizing.md`, 'utf8');
  const named = [...tutorial.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => name.replaceAll('\n', ' '));
  assert.ok(named.length > 60);
  for (const name of named) assert.ok(said.has(name.replace(/ +/g, ' ')), name);
});

/** What is called otherwise everywhere: mail, a request that is declined, one to come, the agenda, the caterer. */
const OTHER_WORDS =
  /דוא״ל|סורב|סירבת|'סירוב|(?:בקש|ביקש)\S* להצטרף|סדר היום|طلب\S* (?:ال)?انضمام|متعهّد الطعام|خضري/u;

test('one thing is called by one word, in the console and by the server', () => {
  const said = globSync('{web/src,server}/**/*{words,messages,fields}.ts', { cwd: ROOT });
  assert.ok(said.length > 60);
  const lines = said.flatMap((file) =>
    readFileSync(`${ROOT}${file}`, 'utf8')
      .split('\n')
      .map((line) => `${file}: ${line.trim()}`),
  );
  assert.deepEqual(
    lines.filter((line) => OTHER_WORDS.test(line)),
    [],
  );
});
