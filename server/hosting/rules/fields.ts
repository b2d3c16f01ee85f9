import * as fieldTypes from '../../kernel/field-types.ts';
import { invalidField } from '../../kernel/fields.ts';
import { readHeaders } from '../site-rules/headers.ts';
import type { RuleProblem } from '../site-rules/problems.ts';
import { readRedirects } from '../site-rules/redirects.ts';
import { describeProblem, messages } from './messages.ts';

/** Sites of an application to which a rule applies. */
export const RULE_SCOPES = ['off', 'production', 'previews', 'all'] as const;
export type RuleScope = (typeof RULE_SCOPES)[number];

/** Maximum length of the redirects and of the headers, in UTF-16 code units. */
const LONGEST_RULES = 20_000;
const LONGEST_USERNAME = 100;
const LONGEST_PASSWORD = 200;

const rulesText = (
  parse: (text: string) => { problems: RuleProblem[] },
  description: string,
): fieldTypes.FieldType<string> => {
  const { read, schema } = fieldTypes.text(LONGEST_RULES);
  return {
    read(field, value) {
      const text = read(field, value);
      const [problem] = parse(text).problems;
      if (problem) throw invalidField(field, describeProblem(problem));
      return text;
    },
    schema: { ...schema, description },
  };
};

/** Parses redirects; a rule that shows another page of the site is a problem, since the gateway has no pages. */
function parseRedirects(text: string): { problems: RuleProblem[] } {
  const { redirects, problems } = readRedirects(text);
  const rules = [...(redirects?.exact.values() ?? [])].flat().concat(redirects?.patterns ?? []);
  const [shown] = rules.filter(({ status }) => status === 200 || status === 404);
  return { problems: shown ? [{ line: shown.line, why: 'status' }, ...problems] : problems };
}

const scope = (description: string) => fieldTypes.withDescription(fieldTypes.oneOf(RULE_SCOPES), description);

/** Fields of a request to change an application's rules. */
export const ruleFields = {
  redirects: {
    type: rulesText(
      parseRedirects,
      'Lines in the format of `_redirects`: from, to, status (3xx; 301 without).',
    ),
  },
  headers: {
    type: rulesText(readHeaders, 'In the format of `_headers`: a path, and below it lines of `Name: value`.'),
  },
  maintenance: { type: scope('Sites that answer every request with a maintenance page and 503.') },
  protection: {
    type: scope('Sites that ask visitors for the name and the password (HTTP basic authentication).'),
  },
  username: {
    type: fieldTypes.orNull(
      fieldTypes.matching(
        fieldTypes.text(LONGEST_USERNAME),
        '^[\\x21-\\x39\\x3b-\\x7e]+$',
        messages.username,
      ),
    ),
  },
  password: {
    type: fieldTypes.withDescription(
      fieldTypes.matching(fieldTypes.text(LONGEST_PASSWORD), '^[\\x21-\\x7e]{8,}$', messages.password),
      'Stored as a hash; never shown.',
    ),
  },
} as const satisfies fieldTypes.FieldTable;

export type RuleChanges = Partial<fieldTypes.ValuesOf<typeof ruleFields>>;
