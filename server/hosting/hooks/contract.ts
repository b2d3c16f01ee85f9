import { type Static, Type } from 'typebox';
import { developerRoutes, publicRoutes } from '../../identity/contract.ts';
import { listCodes } from '../../kernel/http/error-answers.ts';
import {
  dateTimeSchema,
  enumOrNullSchema,
  enumSchema,
  textOrNullSchema,
  uuidSchema,
} from '../../kernel/http/shapes.ts';
import { applicationErrors, applicationParam } from '../applications/contract.ts';
import { DELIVERY_STATUSES } from './deliveries.ts';
import { IGNORED } from './delivery.ts';

const Delivery = Type.Object(
  {
    status: enumSchema(DELIVERY_STATUSES, {
      description: '`checking`: the changed files are still being compared with `watch_paths`.',
    }),
    preview: textOrNullSchema({
      description: 'The preview concerned; null for production, and for ignored deliveries.',
    }),
    reason: enumOrNullSchema(IGNORED, { description: 'Why the delivery is ignored.' }),
    message: textOrNullSchema({
      description:
        'The reason as a sentence: in English, or as `Accept-Language` prefers in Hebrew or Arabic.',
    }),
  },
  { title: 'Delivery', description: 'The delivery was accepted.' },
);
export type Delivery = Static<typeof Delivery>;

const HookDelivery = Type.Object(
  {
    delivery_uuid: uuidSchema(),
    received_at: dateTimeSchema(),
    ...Delivery.properties,
    branch: textOrNullSchema(),
    deployment_uuid: textOrNullSchema({ format: 'uuid', description: 'The deployment that was requested.' }),
    commit_hash: textOrNullSchema({
      description: 'The branch’s newest commit, if its changes were compared with `watch_paths`.',
    }),
    base_hash: textOrNullSchema({
      description: 'The commit that was deployed before, to which it was compared.',
    }),
    changed: Type.Union([Type.Integer(), Type.Null()], { description: 'Number of paths that changed.' }),
  },
  { title: 'HookDelivery' },
);
export type HookDelivery = Static<typeof HookDelivery>;

export const listDeliveriesSchema = developerRoutes.get({
  tags: ['applications'],
  operationId: 'listHookDeliveries',
  summary: 'List deliveries to the push hook',
  description: 'The newest 50, with what followed from each.',
  params: applicationParam,
  response: {
    200: Type.Object(
      { deliveries: Type.Array(HookDelivery) },
      { title: 'HookDeliveryList', description: 'The deliveries.' },
    ),
  },
  errors: applicationErrors,
});

export const deliverySchema = publicRoutes.post({
  tags: ['applications'],
  operationId: 'deliverPush',
  summary: 'Deliver a push',
  description:
    'For the repository’s host: signed by `X-Hub-Signature-256` (GitHub), `X-Gitea-Signature`, `X-Forgejo-Signature` or `X-Gitlab-Token`. ' +
    'A push to the application’s branch, or to the repository’s default one where it names none, deploys it. Of other branches it is the application’s `previews` that decides: ' +
    'pull requests of the repository’s own branches, or pushes, make and deploy one, and their end removes it. A push that changes none of `watch_paths` deploys nothing. Any other delivery is accepted and ignored, as are repeated deliveries and those whose newest commit says `[skip ci]`. ' +
    'The body is JSON, or a form with the JSON as `payload`, as GitHub sends it.',
  params: applicationParam,
  response: {
    202: Delivery,
  },
  errors: {
    400: listCodes('malformed_json'),
    401: listCodes('unsigned'),
    403: listCodes('unverified', 'too_many_previews'),
    404: true,
    413: true,
  },
  anyQuery: true,
});
