import { type Static, Type } from 'typebox';
import { publicRoutes } from '../../identity/contract.ts';
import { listCodes } from '../../kernel/http/error-answers.ts';
import { enumOrNullSchema, enumSchema, textOrNullSchema } from '../../kernel/http/shapes.ts';
import { applicationParam } from '../applications/contract.ts';
import { IGNORED } from './delivery.ts';

const Delivery = Type.Object(
  {
    status: enumSchema(['deploying', 'removed', 'ignored']),
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

export const deliverySchema = publicRoutes.post({
  tags: ['applications'],
  operationId: 'deliverPush',
  summary: 'Deliver a push',
  description:
    'For the repository’s host: signed by `X-Hub-Signature-256` (GitHub), `X-Gitea-Signature`, `X-Forgejo-Signature` or `X-Gitlab-Token`. ' +
    'A push to the application’s branch, or to the repository’s default one where it names none, deploys it. Of other branches it is the application’s `previews` that decides: ' +
    'pull requests of the repository’s own branches, or pushes, make and deploy one, and their end removes it. Any other delivery is accepted and ignored, as are repeated deliveries and those whose newest commit says `[skip ci]`. ' +
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
