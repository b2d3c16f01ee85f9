import type { Clock } from '../../kernel/clock.ts';
import type { App } from '../../kernel/http/app.ts';
import { noSuchApplication } from './access.ts';
import { MOST_VARIABLES } from './environment.ts';
import type { Application, ApplicationStore } from './store.ts';
import { changeVariablesSchema, readVariablesSchema, type SiteVariables } from './variable-contract.ts';
import { definitionChanges, type VariableDefinition } from './variable-definitions.ts';
import { resolveVariables, type VariableLayers } from './variable-layers.ts';

export interface VariableRouteParts {
  store: Pick<ApplicationStore, 'variableLayers' | 'changeDefinitions'>;
  clock: Clock;
}

/** Serves the variables of one application with their scopes and origins: `…/variables`. */
export function serveVariableDefinitions(app: App, { store, clock }: VariableRouteParts): void {
  const changes = definitionChanges(MOST_VARIABLES);
  const read = async (application: Application) =>
    presentVariables(application, await store.variableLayers(application.environment_id));

  app.get('/variables', { schema: readVariablesSchema }, ({ application }) => read(application));

  app.patch('/variables', { schema: changeVariablesSchema }, async ({ application, body }) => {
    const changed = await store.changeDefinitions(application, changes.read('body', body), clock());
    if (!changed) throw noSuchApplication();
    return read({ ...application, last_updated: changed.last_updated });
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
