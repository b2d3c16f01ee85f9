import { type Static, Type } from 'typebox';
import { apiErrors, keyedErrors, keyHeader, ofBody } from '../../identity/contract.ts';
import {
  dateTime,
  dateTimeOrNull,
  oneOf,
  oneOfOrNull,
  ref,
  textOrNull,
  uuid,
} from '../../kernel/http/shapes.ts';
import { applicationErrors } from '../applications/contract.ts';
import { checkProblems } from './messages.ts';

/** The shapes of custom domains: one schema each serializes, documents and types. */

const DnsRecord = Type.Object({
  type: oneOf(['CNAME', 'TXT']),
  name: Type.String(),
  value: Type.String(),
});

const example = {
  hostname: 'www.noa-itai.co.il',
  application_uuid: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a44',
  status: 'pending',
  address: 'https://www.noa-itai.co.il',
  records: [
    { type: 'CNAME', name: 'www.noa-itai.co.il', value: 'mzxw6ytboi4dcmrtgq2tmnzyhe.apps.example.com' },
    { type: 'TXT', name: '_simcha.www.noa-itai.co.il', value: 'simcha=mzxw6ytboi4dcmrtgq2tmnzyhe' },
  ],
  problem: 'record_missing',
  advice: checkProblems.record_missing,
  created_at: '2026-11-21T08:00:00.000Z',
  checked_at: '2026-11-21T08:00:01.000Z',
  proved_at: null,
};

export const DomainRecord = Type.Object(
  {
    hostname: Type.String({ description: 'As it stands in the DNS: lower case, other scripts as punycode.' }),
    application_uuid: uuid(),
    status: oneOf(['pending', 'proved'], { description: 'A proved domain leads to the application’s site.' }),
    address: Type.String(),
    records: Type.Array(DnsRecord, {
      description:
        'One of them proves the domain. The CNAME leads visitors here at once; with the TXT record, point the name at this server by A and AAAA records.',
    }),
    problem: oneOfOrNull(Object.keys(checkProblems), {
      description: 'What the last check found; null before the first, and when all is well.',
    }),
    advice: textOrNull({ description: 'The same as a sentence.' }),
    created_at: dateTime(),
    checked_at: dateTimeOrNull(),
    proved_at: dateTimeOrNull(),
  },
  { $id: 'Domain', examples: [example] },
);
export type DomainRecord = Static<typeof DomainRecord>;

export const sharedSchemas = [DomainRecord];

const common = { tags: ['applications'], security: [{ apiKey: [] }, { organizer: [] }] };
const params = Type.Object({ uuid: Type.String({ description: 'The application’s UUID.' }) });
const domainParams = Type.Object({
  ...params.properties,
  hostname: Type.String({ description: 'In either script.' }),
});

export const addSchema = {
  ...common,
  operationId: 'addDomain',
  summary: 'Add a custom domain',
  description:
    'The answer names two DNS records; one of them proves the domain. They are looked up at once, then every minute or so, ever more seldom, for a week. Adding a domain again gives it as it is.',
  params,
  headers: keyHeader,
  body: Type.Object(
    { hostname: Type.String({ maxLength: 253, description: 'Such as `www.example.com`.' }) },
    { examples: [{ hostname: example.hostname }] },
  ),
  response: {
    201: ref(DomainRecord, 'The claim, and what its first check found.'),
  },
  errors: keyedErrors({ ...ofBody, ...applicationErrors }, 'too_many_domains'),
};

export const listSchema = {
  ...common,
  operationId: 'listDomains',
  summary: 'List an application’s custom domains',
  params,
  response: {
    200: Type.Object(
      { domains: Type.Array(ref(DomainRecord)) },
      { description: 'In the order of their names.' },
    ),
  },
  errors: apiErrors(applicationErrors),
};

export const readSchema = {
  ...common,
  operationId: 'readDomain',
  summary: 'Read a custom domain',
  params: domainParams,
  response: { 200: ref(DomainRecord, 'The domain as the last check left it.') },
  errors: apiErrors(applicationErrors),
};

export const checkSchema = {
  ...common,
  operationId: 'checkDomain',
  summary: 'Look a domain’s records up again',
  description:
    'Answers when the name servers have, or after some five seconds. A proved domain whose record is gone is served no more; where name servers do not answer, nothing changes.',
  params: domainParams,
  headers: keyHeader,
  response: { 200: ref(DomainRecord, 'The domain as this check left it.') },
  errors: keyedErrors(applicationErrors),
};

export const removeSchema = {
  ...common,
  operationId: 'removeDomain',
  summary: 'Remove a custom domain',
  description: 'It is served no more, at once.',
  params: domainParams,
  response: { 204: Type.Null({ description: 'Removed.' }) },
  errors: apiErrors(applicationErrors),
};

export const askSchema = {
  tags: ['operation'],
  operationId: 'askTls',
  summary: 'Is a host ours',
  description:
    'For a proxy in front that gets certificates on demand (Caddy’s `ask`): 200 for the platform’s own host, for sites that there are, and for proved domains.',
  querystring: Type.Object({ domain: Type.String() }),
  response: {
    200: Type.Object({ domain: Type.String() }, { description: 'Ours.' }),
  },
  errors: apiErrors({ 404: true }),
};
