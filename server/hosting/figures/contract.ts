import { Type } from 'typebox';
import { developerRoutes } from '../../identity/contract.ts';
import { namedSchema, queryOf } from '../../kernel/http/resource.ts';
import {
  dateTimeSchema,
  enumSchema,
  schemaRef,
  textOrNullSchema,
  uuidSchema,
} from '../../kernel/http/shapes.ts';
import { applicationErrors, applicationParam, withPreviewQuery } from '../applications/contract.ts';
import { DEPLOYMENT_ACTIONS } from '../model/lifecycle.ts';
import { figuresQuery } from './fields.ts';

/** Schemas of the figures of a site, for serialization, documentation and types. */

const milliseconds = () => Type.Union([Type.Number(), Type.Null()]);

const counts = {
  requests: Type.Integer(),
  responses: Type.Object(
    {
      '1xx': Type.Integer(),
      '2xx': Type.Integer(),
      '3xx': Type.Integer(),
      '4xx': Type.Integer(),
      '5xx': Type.Integer(),
    },
    { description: 'By status; WebSockets count as 1xx, requests that the client gave up as 4xx.' },
  ),
  p50_ms: milliseconds(),
  p95_ms: milliseconds(),
  p99_ms: milliseconds(),
  bytes_in: Type.Integer(),
  bytes_out: Type.Integer(),
};

export const Traffic = Type.Object(counts, { $id: 'Traffic' });

export const sharedSchemas = [Traffic];

export const readSchema = withPreviewQuery(
  developerRoutes.get({
    tags: ['deployments'],
    operationId: 'readFigures',
    summary: 'Read the figures of a site',
    description:
      'Requests as the gateways counted them, of all servers, written every 15 seconds; durations are off by at most a tenth. ' +
      'Memory and processor of each process are measured every minute; absent in a cluster.',
    params: applicationParam,
    querystring: queryOf(figuresQuery),
    response: {
      200: namedSchema(
        'Figures',
        Type.Object(
          {
            since: dateTimeSchema(),
            until: dateTimeSchema(),
            step: Type.Integer({ description: 'Seconds of an interval.' }),
            total: schemaRef(Traffic),
            intervals: Type.Array(Type.Object({ at: dateTimeSchema(), ...counts })),
            processes: Type.Array(
              Type.Object({
                process: Type.String(),
                intervals: Type.Array(
                  Type.Object({
                    at: dateTimeSchema(),
                    memory_bytes: Type.Integer({ description: 'The largest, of all replicas together.' }),
                    processor_ms: Type.Integer({ description: 'Processor time.' }),
                  }),
                ),
              }),
            ),
            deployments: Type.Array(
              Type.Object({
                deployment_uuid: uuidSchema(),
                action: enumSchema(DEPLOYMENT_ACTIONS),
                status: enumSchema(['live', 'failed']),
                commit_hash: textOrNullSchema(),
                ended_at: dateTimeSchema(),
              }),
              { description: 'Deployments that ended in this time.' },
            ),
          },
          { description: 'The figures.' },
        ),
      ),
    },
    errors: { ...applicationErrors, 400: true },
  }),
);
