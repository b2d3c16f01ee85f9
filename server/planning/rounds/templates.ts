import { type LanguageName, languageCodeOf } from '../../kernel/languages.ts';
import type { WhatsAppMessage } from '../../kernel/texts/text.ts';
import { ROUND_KINDS, type RoundKind } from './kinds.ts';
import { type Addressee, type LetterContext, messageContent, type RoundText } from './letter.ts';
import { letterFoot, letterWords } from './letter-words.ts';

// WhatsApp delivers only texts of a business that Meta has approved: one template for each kind and language. The words
// are those of the mail, with placeholders for the guest's name, the event's title and its details.

// Maximum lengths of the placeholders' values. A WhatsApp message has 1,024 characters; the approved words need the
// rest.
const LONGEST_DETAILS = 550;
const LONGEST_NAME = 80;
const LONGEST_TITLE = 200;
/** Maximum length of the text on a button in a WhatsApp message, by WhatsApp's rules. */
export const LONGEST_BUTTON = 25;

const PLACEHOLDERS = { name: '{{name}}', title: '{{title}}', details: '{{details}}' } as const;

/** Kinds of rounds whose WhatsApp message Meta accepts as "utility"; it treats and prices all others as marketing. */
const UTILITY: ReadonlySet<RoundKind> = new Set([
  'reminder',
  'change',
  'cancellation',
  'see_you',
  'moved_up',
  'accepted',
] as RoundKind[]);

export function templateName(kind: RoundKind): string {
  return `simcha_${kind}`;
}

/** Text of a WhatsApp template for a kind of round, with placeholders, as it is sent to Meta for approval. */
export function templateText(kind: RoundKind, language: LanguageName): string {
  const foot = letterFoot[language];
  return [
    foot.hello(PLACEHOLDERS.name),
    openingLine(kind, language),
    PLACEHOLDERS.details,
    `${foot.because(null)}.`,
  ].join('\n\n');
}

/**
 * Kinds of rounds whose mails begin with a line that differs between guests. A WhatsApp template must be the same for
 * all, so it begins with the mail's subject instead.
 */
const LED_BY_SUBJECT: ReadonlySet<RoundKind> = new Set(['accepted', 'message']);

/**
 * Opening line of a WhatsApp template, which must hold for every event: the first line of the mail, or the mail's
 * subject.
 */
function openingLine(kind: RoundKind, language: LanguageName): string {
  const say = letterWords[language][kind];
  const anyhow = {
    title: PLACEHOLDERS.title,
    hosts: null,
    date: '',
    place: '',
    formerDate: '',
    formerPlace: '',
    coming: '',
    daysLeft: undefined,
    waiting: false,
    maybe: false,
    declined: false,
    meals: [],
    registers: false,
    closed: false,
  };
  // Two placeholders of a WhatsApp template need a word or a full stop between them, else Meta rejects the template.
  return LED_BY_SUBJECT.has(kind) ? `${say.subject(anyhow)}.` : (say.lines(anyhow)[0] ?? '');
}

/** WhatsApp message of a round to one guest. */
export function whatsAppMessageTo(
  guest: Addressee & { phone: string },
  round: RoundText & { kind: RoundKind },
  circumstances: Omit<LetterContext, 'host'>,
): WhatsAppMessage {
  const { kind } = round;
  const { lines, own } = messageContent(guest, round, circumstances);
  const unsaid = LED_BY_SUBJECT.has(kind) ? lines : lines.slice(1);
  const details = [...unsaid, own].filter(Boolean).join(' · ') || guest.title;
  const hasButton = letterWords[guest.language][kind].action !== undefined;
  return {
    channel: 'whatsapp',
    to: guest.phone,
    template: templateName(kind),
    language: languageCodeOf(guest.language),
    parameters: {
      name: fitPlaceholder(guest.name, LONGEST_NAME),
      ...(openingLine(kind, guest.language).includes(PLACEHOLDERS.title) && {
        title: fitPlaceholder(guest.title, LONGEST_TITLE),
      }),
      details: fitPlaceholder(details, LONGEST_DETAILS),
    },
    ...(hasButton && { button: circumstances.url.slice(circumstances.url.lastIndexOf('/') + 1) }),
  };
}

/** Text of a WhatsApp message, as the guest reads it. */
export function renderMessage(
  { parameters }: WhatsAppMessage,
  kind: RoundKind,
  language: LanguageName,
): string {
  return templateText(kind, language).replace(/\{\{(\w+)\}\}/g, (place, name) => parameters[name] ?? place);
}

/** All WhatsApp templates in the form of Meta's API (`POST /<business account id>/message_templates`). */
export function allTemplates(publicUrl: string): object[] {
  return ROUND_KINDS.flatMap((kind) =>
    (Object.keys(letterWords) as LanguageName[]).map((language) => {
      const text = templateText(kind, language);
      const { action } = letterWords[language][kind];
      const examples = Object.entries(EXAMPLES[language]).filter(([name]) => text.includes(`{{${name}}}`));
      const button = {
        type: 'URL',
        text: action,
        url: `${publicUrl}/r/{{1}}`,
        example: [`${publicUrl}/r/x`],
      };
      return {
        name: templateName(kind),
        language: languageCodeOf(language),
        category: UTILITY.has(kind) ? 'UTILITY' : 'MARKETING',
        parameter_format: 'NAMED',
        components: [
          {
            type: 'BODY',
            text,
            example: {
              body_text_named_params: examples.map(([param_name, example]) => ({ param_name, example })),
            },
          },
          ...(action ? [{ type: 'BUTTONS', buttons: [button] }] : []),
        ],
      };
    }),
  );
}

const EXAMPLES: Readonly<Record<LanguageName, Record<keyof typeof PLACEHOLDERS, string>>> = {
  hebrew: {
    name: 'דנה',
    title: 'החתונה של נועה ואיתי',
    details: 'מתי: 15.6.2027 בשעה 19:30 · איפה: גן האירועים',
  },
  arabic: {
    name: 'دانا',
    title: 'زفاف نور وسامي',
    details: 'متى: 15.6.2027 الساعة 19:30 · أين: قاعة الأفراح',
  },
  english: {
    name: 'Dana',
    title: 'Noa and Itay’s wedding',
    details: 'When: 15 June 2027, 19:30 · Where: The Garden',
  },
};

/** Value for a placeholder of a WhatsApp template: on one line, shortened to the maximum length. */
function fitPlaceholder(text: string, most: number): string {
  const characters = [...text.replace(/\s+/gu, ' ').trim()];
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`;
}
