import { type Static, Type } from 'typebox';
import { developerRoutes, publicRoutes } from '../../identity/contract.ts';
import { listCodes } from '../../kernel/http/error-answers.ts';
import { bodyOf } from '../../kernel/http/field-schemas.ts';
import { queryOf } from '../../kernel/http/resource.ts';
import {
  dateTimeOrNullSchema,
  dateTimeSchema,
  enumOrNullSchema,
  enumSchema,
  schemaRef,
  textOrNullSchema,
  uuidSchema,
} from '../../kernel/http/shapes.ts';
import { applicationErrors, applicationParam } from '../applications/contract.ts';
import { askQuery, domainChanges, domainFields } from './fields.ts';
import { checkProblems } from './messages.ts';

/** Schemas of custom domains, for serialization, documentation and types. */

const DnsRecord = Type.Object({
  type: enumSchema(['CNAME', 'TXT']),
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
  advice: checkProblems.record_missing.en,
  redirect_to: null,
  certificate_asked_at: null,
  created_at: '2026-11-21T08:00:00.000Z',
  checked_at: '2026-11-21T08:00:01.000Z',
  proved_at: null,
};

export const DomainRecord = Type.Object(
  {
    hostname: Type.String({ description: 'In DNS form: lower case, other scripts as punycode.' }),
    application_uuid: uuidSchema(),
    status: enumSchema(['pending', 'proved'], {
      description: 'A proved domain leads to the application’s site.',
    }),
    address: Type.String(),
    records: Type.Array(DnsRecord, {
      description:
        'One of them proves the domain. The CNAME leads visitors here at once; with the TXT record, point the name at this server by A and AAAA records.',
    }),
    problem: enumOrNullSchema(Object.keys(checkProblems), {
      description: 'The problem found by the last check; null before the first check, and if there is none.',
    }),
    advice: textOrNullSchema({
      description: 'The same as a sentence: in English, or as `Accept-Language` prefers in Hebrew or Arabic.',
    }),
    redirect_to: textOrNullSchema({
      description: 'The domain to which this one redirects, once both are proved.',
    }),
    certificate_asked_at: dateTimeOrNullSchema(
      'When a proxy in front last asked about a certificate; null: never.',
    ),
    created_at: dateTimeSchema(),
    checked_at: dateTimeOrNullSchema(),
    proved_at: dateTimeOrNullSchema(),
  },
  { $id: 'Domain', examples: [example] },
);
export type DomainRecord = Static<typeof DomainRecord>;

export const sharedSchemas = [DomainRecord];

const domainParam = Type.Object({
  ...applicationParam.properties,
  hostname: Type.String({ description: 'As punycode or in its own script.' }),
});
const domains = developerRoutes.resource({
  tags: ['applications'],
  called: 'domain',
  within: applicationParam,
  params: domainParam,
  record: DomainRecord,
  errors: applicationErrors,
  shown: (description) => schemaRef(DomainRecord, description),
});

export const addSchema = domains.create(
  {
    operationId: 'addDomain',
    summary: 'Add a custom domain',
    description:
      'The answer names two DNS records; one of them proves the domain. They are looked up at once, then about every minute and at growing intervals, for a week. Adding an existing domain returns it unchanged.',
    answer: 'The domain after its first check.',
    errors: { 409: listCodes('too_many_domains', 'key_running') },
  },
  bodyOf(domainFields([]), { additionalProperties: false, examples: [{ hostname: example.hostname }] }),
);

export const listSchema = domains.list(
  {
    operationId: 'listDomains',
    summary: 'List an application’s custom domains',
    answer: 'Ordered by name.',
  },
  'domains',
);

export const readSchema = domains.read({
  operationId: 'readDomain',
  summary: 'Read a custom domain',
  answer: 'The domain after the last check.',
});

export const changeSchema = domains.change(
  {
    operationId: 'updateDomain',
    summary: 'Redirect a custom domain to another',
    description:
      'Visitors are sent to the same path and query there. If the target is removed, the domain shows the site again.',
  },
  bodyOf(domainChanges, { additionalProperties: false, examples: [{ redirect_to: 'noa-itai.co.il' }] }),
);

export const checkSchema = developerRoutes.post({
  tags: ['applications'],
  operationId: 'checkDomain',
  summary: 'Check a domain’s records again',
  description:
    'Answers when the name servers have, or after some five seconds. A proved domain whose record is gone is no longer served; if the name servers do not answer, nothing changes.',
  params: domainParam,
  response: { 200: schemaRef(DomainRecord, 'The domain after this check.') },
  errors: applicationErrors,
});

export const removeSchema = domains.remove({
  operationId: 'removeDomain',
  summary: 'Remove a custom domain',
  description: 'It is no longer served, at once.',
});

export const askSchema = publicRoutes.get({
  tags: ['operation'],
  operationId: 'askTls',
  summary: 'Check whether a host is served here',
  description:
    'For a proxy in front that gets certificates on demand (Caddy’s `ask`): 200 for the platform’s own host, for existing sites, and for proved domains.',
  querystring: queryOf(askQuery, 'ignores others'),
  response: {
    200: Type.Object(
      { domain: Type.String() },
      { title: 'OwnHost', description: 'The host is served here.' },
    ),
  },
  errors: { 400: true, 404: true },
});
