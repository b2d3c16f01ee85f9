import { Type } from 'typebox';
import { developerRoutes } from '../../identity/contract.ts';
import { namedSchema } from '../../kernel/http/resource.ts';
import { uuidSchema } from '../../kernel/http/shapes.ts';

/** Schema of the budget route, for serialization, documentation and types. */

const amounts = (description: string) =>
  Type.Object(
    {
      applications: Type.Integer(),
      replicas: Type.Integer({ description: 'Running replicas of processes, and commands that run beside.' }),
      memory_mb: Type.Integer({ description: 'MiB that these may use.' }),
      processes: Type.Integer({ description: 'Threads that these may have.' }),
      disk_mb: Type.Integer({ description: 'MiB, as of the last deployment of each application.' }),
    },
    { description },
  );

export const readSchema = developerRoutes.get({
  tags: ['applications'],
  operationId: 'readOwnBudget',
  summary: 'Read what your applications may use',
  description:
    'What all your applications may use together, and what they use now. Stopped and sleeping sites use no replicas, and a switch to another version counts once. A change that would use more than the budget allows is a 409, `over_budget`; a deployment fails with that reason.',
  response: {
    200: namedSchema(
      'OwnBudget',
      Type.Object(
        {
          budget: amounts('The most of each; 0: no limit.'),
          used: amounts('What is used of each.'),
          applications: Type.Array(
            Type.Object({
              application_uuid: uuidSchema(),
              name: Type.String(),
              replicas: Type.Integer(),
              memory_mb: Type.Integer(),
              processes: Type.Integer(),
              disk_mb: Type.Integer(),
            }),
            { description: 'What each application uses, the most memory first.' },
          ),
        },
        { description: 'The budget, and what is used of it.' },
      ),
    ),
  },
});
