import { tokenMessages } from '../identity/access-tokens/messages.ts';
import type { Restriction } from '../identity/access-tokens/subjects.ts';
import * as fieldTypes from '../kernel/field-types.ts';
import { fieldsAmong, invalidField, readText } from '../kernel/fields.ts';
import { isPlainlyPrivate } from '../kernel/public-hosts.ts';
import * as queryTypes from '../kernel/query-types.ts';
import { bareHost } from './http-post.ts';
import { isEventKind, KINDS, type Kind } from './kinds.ts';
import { webhookMessages } from './messages.ts';

const LONGEST_URL = 2_000;
const LONGEST_DESCRIPTION = 200;

/** Rules for the addresses of endpoints. With private hosts, `http` is allowed too. */
export interface UrlPolicy {
  allowPrivateHosts: boolean;
}

const urlUnder = ({ allowPrivateHosts }: UrlPolicy): fieldTypes.FieldType<string> => ({
  read(field, value) {
    const url = URL.parse(readText(field, value, LONGEST_URL));
    const isHttp = url?.protocol === 'https:' || (allowPrivateHosts && url?.protocol === 'http:');
    if (!url || !isHttp || url.username || url.password || url.href.length > LONGEST_URL) {
      throw invalidField(field, webhookMessages.form);
    }
    if (!allowPrivateHosts && isPlainlyPrivate(bareHost(url))) {
      throw invalidField(field, webhookMessages.private);
    }
    url.hash = '';
    return url.href;
  },
  schema: {
    type: 'string',
    maxLength: LONGEST_URL,
    description: 'The https address to which messages are posted.',
  },
});

const restriction = (description: string) => ({
  type: fieldTypes.withDescription(fieldTypes.orNull(fieldTypes.uuid(tokenMessages.subjectId)), description),
  empty: null,
});

const changeableUnder = (policy: UrlPolicy) =>
  ({
    url: { type: fieldTypes.nonEmpty(urlUnder(policy)) },
    kinds: {
      type: fieldTypes.withDescription(fieldTypes.someOf(KINDS), 'The kinds of messages that it receives.'),
    },
    description: { type: fieldTypes.orDefault(fieldTypes.line(LONGEST_DESCRIPTION), ''), empty: '' },
    enabled: { type: fieldTypes.yesOrNo(), empty: true },
  }) as const satisfies fieldTypes.FieldTable;

/** Fields of an endpoint under a policy. */
export const endpointFieldsUnder = (policy: UrlPolicy) =>
  ({
    ...changeableUnder(policy),
    application_id: restriction(
      'The only application that it receives messages about; null: no such restriction.',
    ),
    event_id: restriction('The only event that it receives messages about; null: no such restriction.'),
  }) as const satisfies fieldTypes.FieldTable;

const ANY_POLICY: UrlPolicy = { allowPrivateHosts: true };
/** Fields for the API's description, which is the same under every policy. */
export const endpointFields = endpointFieldsUnder(ANY_POLICY);
export const changeFields = changeableUnder(ANY_POLICY);

export const replayFields = {
  since: { type: fieldTypes.withDescription(fieldTypes.dateTime('UTC'), 'UTC') },
} as const satisfies fieldTypes.FieldTable;

export const DELIVERY_STATES = ['waiting', 'succeeded', 'failed'] as const;
export const deliveryFilter = { state: queryTypes.oneOf(DELIVERY_STATES) };

export type NewEndpoint = fieldTypes.ValuesOf<typeof endpointFields>;
export type EndpointChanges = Partial<fieldTypes.ValuesOf<typeof changeFields>>;

export function readNewEndpoint(body: unknown, policy: UrlPolicy): NewEndpoint {
  const fields = endpointFieldsUnder(policy);
  const endpoint = fieldTypes.readWhole(fields, fieldsAmong(fields, body));
  if (endpoint.application_id !== null && endpoint.event_id !== null) {
    throw invalidField('event_id', webhookMessages.oneSubject);
  }
  refuseOtherSide(endpoint.kinds, endpoint);
  return endpoint;
}

/** Reads the changes of an endpoint that is restricted in the given way, or not restricted. */
export function readEndpointChanges(
  body: unknown,
  policy: UrlPolicy,
  restricted: Restriction,
): EndpointChanges {
  const fields = changeableUnder(policy);
  const changes = fieldTypes.readGiven(fields, fieldsAmong(fields, body));
  refuseOtherSide(changes.kinds ?? [], restricted);
  return changes;
}

/** Refuses kinds that an endpoint for one event or one application could never receive. */
function refuseOtherSide(kinds: readonly Kind[], { application_id, event_id }: Restriction): void {
  if (application_id === null && event_id === null) return;
  const never = kinds.filter((kind) => isEventKind(kind) !== (event_id !== null));
  if (never.length > 0) throw invalidField('kinds', webhookMessages.otherSide(never));
}
