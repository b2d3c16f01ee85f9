import type { App } from '../../kernel/http/app.ts';
import { noSuchApplication } from './access.ts';
import { type ChangeParts, makeChange, variableChanges } from './changes.ts';
import { MOST_VARIABLES } from './environment.ts';
import type { Application, ApplicationStore } from './store.ts';
import { changeVariablesSchema, readVariablesSchema, type SiteVariables } from './variable-contract.ts';
import { definitionChanges, type VariableDefinition } from './variable-definitions.ts';
import { resolveVariables, type VariableLayers } from './variable-layers.ts';

export interface VariableRouteParts extends ChangeParts {
  store: Pick<ApplicationStore, 'variableLayers' | 'changeDefinitions'>;
}

/** Serves the variables of one application with their scopes and origins: `…/variables`. */
export function serveVariableDefinitions(app: App, parts: VariableRouteParts): void {
  const { store, clock } = parts;
  const fields = definitionChanges(MOST_VARIABLES);
  const read = async (application: Application) =>
    presentVariables(application, await store.variableLayers(application.environment_id));

  app.get('/variables', { schema: readVariablesSchema }, ({ application }) => read(application));

  app.patch('/variables', { schema: changeVariablesSchema }, async (request, reply) => {
    const { application } = request;
    const changes = fields.read('body', request.body);
    const last_updated = await makeChange(parts, request, reply, async (transaction) => {
      const changed = await store.changeDefinitions(application, changes, clock(), transaction);
      if (!changed) throw noSuchApplication();
      const history = { changes: variableChanges(changed.former, changes) };
      return { status: 200, body: changed.last_updated, history };
    });
    return read({ ...application, last_updated });
  });
}

/** Variables of an application with the values that its sites get. */
export function presentVariables(
  { application_uuid, last_updated }: Application,
  layers: VariableLayers,
): SiteVariables {
  return {
    application_uuid,
    groups: layers.groups.map(({ name }) => name),
    variables: resolveVariables(layers).map(({ own, ...variable }) => ({
      ...variable,
      own: own && presentDefinition(own),
    })),
    last_updated,
  };
}

/** Definition of a variable without its name, by which responses list it. */
export function presentDefinition({ name: _, ...definition }: VariableDefinition) {
  return definition;
}
