import { developerRoutes } from '../../identity/contract.ts';
import { queryOf } from '../../kernel/http/resource.ts';
import { applicationErrors, applicationParam, withPreviewQuery } from '../applications/contract.ts';
import { siteLogQuery } from '../deployments/fields.ts';
import { ALSO_BY_ACCEPT, eventAnswer, followHeaders, textAnswer } from '../logs/contract.ts';

/** Schemas of the routes of access logs, for serialization, documentation and types. */

const tags = ['deployments'];

export const readSchema = withPreviewQuery(
  developerRoutes.get({
    tags,
    operationId: 'readAccessLog',
    summary: 'Read the site’s access log',
    description:
      'The newest requests as `<time> <method> <path> <status> <duration>ms <bytes>B <network>`: queries without their values, addresses by their /24 or /48. ' +
      `Kept for a week and 8 MiB; more than 200 requests in a second are only counted. ${ALSO_BY_ACCEPT}`,
    params: applicationParam,
    querystring: queryOf(siteLogQuery),
    response: { 200: textAnswer('The newest lines.') },
    errors: { ...applicationErrors, 400: true },
  }),
);

export const streamSchema = withPreviewQuery({
  ...developerRoutes.get({
    tags,
    operationId: 'followAccessLog',
    summary: 'Follow the site’s access log',
    description: 'Server-sent events, as for the site’s log.',
    params: applicationParam,
    querystring: queryOf(siteLogQuery),
    response: { 200: eventAnswer },
    errors: { ...applicationErrors, 400: true },
  }),
  ...followHeaders,
});
