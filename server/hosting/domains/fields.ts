import * as fieldTypes from '../../kernel/field-types.ts';
import { invalidField, readText } from '../../kernel/fields.ts';
import { parseHostName } from '../gateway/hosts.ts';
import { judgeHostname } from './hostname.ts';
import { messages } from './messages.ts';

const LONGEST = 253;

const hostnameBeside = (ours: readonly string[]): fieldTypes.FieldType<string> => ({
  read(field, value) {
    const verdict = judgeHostname(readText(field, value, LONGEST), ours);
    if ('wrong' in verdict) throw invalidField(field, messages.hostname[verdict.wrong]);
    return verdict.hostname;
  },
  schema: { type: 'string', maxLength: LONGEST, description: 'Such as `www.example.com`.' },
});

/**
 * Fields of a request to add a custom domain. `ours`: hosts that can't be custom domains, namely the platform's own and
 * the domain of its sites.
 */
export function domainFields(ours: readonly string[]) {
  return {
    hostname: { type: fieldTypes.nonEmpty(hostnameBeside(ours)) },
    redirect_to: { ...domainChanges.redirect_to, empty: null },
  } as const satisfies fieldTypes.FieldTable;
}

/** Fields of a request to change a custom domain. */
export const domainChanges = {
  redirect_to: {
    type: fieldTypes.orNull(
      fieldTypes.withDescription(
        hostnameBeside([]),
        'Another domain of the application, to which visitors are sent by a 308; null: none.',
      ),
    ),
  },
} as const satisfies fieldTypes.FieldTable;

const host: fieldTypes.FieldType<string | undefined> = {
  read: (_name, value) => (typeof value === 'string' ? parseHostName(value) : undefined),
  schema: { type: 'string' },
};

/** Query of a front proxy that asks whether a host is known; undefined for invalid hosts. */
export const askQuery = { domain: host };
