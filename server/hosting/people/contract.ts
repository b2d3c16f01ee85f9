import { type Static, Type } from 'typebox';
import { developerRoutes } from '../../identity/contract.ts';
import { exampleOf } from '../../kernel/field-types.ts';
import { listCodes } from '../../kernel/http/error-answers.ts';
import { bodyOf, outputFields } from '../../kernel/http/field-schemas.ts';
import { exampleTimes, schemaRef, timestampSchemas, uuidSchema } from '../../kernel/http/shapes.ts';
import { applicationErrors, applicationParam } from '../applications/contract.ts';
import { personFields, roleField } from './fields.ts';

/** Maximum number of people with whom an application can be shared. */
export const MOST_PEOPLE = 50;

const example = exampleOf(personFields);

export const Person = Type.Object(
  {
    id: uuidSchema(),
    ...outputFields(personFields),
    pending: Type.Boolean({ description: 'True until somebody signs in with the address.' }),
    ...timestampSchemas,
  },
  {
    $id: 'Person',
    examples: [{ id: '01980a3c-7b1e-7c1a-9c55-3f0b8d1f2a47', ...example, pending: false, ...exampleTimes }],
  },
);
export type Person = Static<typeof Person>;

const people = developerRoutes.resource({
  tags: ['people'],
  called: 'person',
  within: applicationParam,
  params: Type.Object({
    ...applicationParam.properties,
    person: Type.String({ description: 'Id or mail address.' }),
  }),
  record: Person,
  errors: applicationErrors,
  shown: (description) => schemaRef(Person, description),
});

export const listSchema = people.list(
  {
    operationId: 'listPeople',
    summary: 'List the people with whom an application is shared',
    answer: 'All of them, in order of invitation, without the owner.',
  },
  'people',
);

export const inviteSchema = people.create(
  {
    operationId: 'invitePerson',
    summary: 'Share an application',
    description:
      'The owner only. The user with this address has access at once; a mail notifies them. At most 60 invitations in a quarter of an hour.',
    errors: { 409: listCodes('duplicate', 'mail_stopped', 'key_running') },
  },
  bodyOf(personFields, { additionalProperties: false, examples: [example] }),
);

export const changeSchema = people.change(
  { operationId: 'changePerson', summary: 'Change the role of a person', description: 'The owner only.' },
  bodyOf(roleField, { additionalProperties: false, examples: [{ role: 'administer' }] }),
);

export const removeSchema = people.remove({
  operationId: 'removePerson',
  summary: 'Remove a person from an application',
  description: 'By the owner, or by the person themselves.',
});
