import { Type } from 'typebox';
import { developerRoutes } from '../../identity/contract.ts';
import { namedSchema } from '../../kernel/http/resource.ts';
import { uuidSchema } from '../../kernel/http/shapes.ts';

/** Schema of the budget route, for serialization, documentation and types. */

const amounts = (description: string) =>
  Type.Object(
    {
      applications: Type.Integer(),
      replicas: Type.Integer({ description: 'Running replicas of processes, and running commands.' }),
      memory_mb: Type.Integer({ description: 'Their memory limits in total, in MiB.' }),
      processes: Type.Integer({ description: 'Their thread limits in total.' }),
      disk_mb: Type.Integer({ description: 'In MiB, measured at the last deployment of each application.' }),
    },
    { description },
  );

export const readSchema = developerRoutes.get({
  tags: ['applications'],
  operationId: 'readOwnBudget',
  summary: 'Read your budget',
  description:
    'The limits for all your applications together, and their current use. Stopped and sleeping sites use no replicas, and a switch to another version counts once. A change that would use more than the budget allows is a 409, `over_budget`; a deployment fails with that reason.',
  response: {
    200: namedSchema(
      'OwnBudget',
      Type.Object(
        {
          budget: amounts('The limits; 0: no limit.'),
          used: amounts('The current use.'),
          applications: Type.Array(
            Type.Object({
              application_uuid: uuidSchema(),
              name: Type.String(),
              replicas: Type.Integer(),
              memory_mb: Type.Integer(),
              processes: Type.Integer(),
              disk_mb: Type.Integer(),
            }),
            { description: 'Use by application, the largest in memory first.' },
          ),
        },
        { description: 'The budget and its use.' },
      ),
    ),
  },
});
