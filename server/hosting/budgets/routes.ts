import { authenticateDeveloper, type DeveloperReader } from '../../identity/developers.ts';
import type { App, Server } from '../../kernel/http/app.ts';
import { totalOf } from './budget.ts';
import { readSchema } from './contract.ts';
import type { Budgets } from './store.ts';

export interface BudgetParts {
  budgets: Pick<Budgets, 'budgetOf' | 'usesOf'>;
  readDeveloper: DeveloperReader;
}

/** Serves a developer's budget and its use: `/api/v1/budget`. */
export function serveBudget(server: Server, { budgets, readDeveloper }: BudgetParts): void {
  server.app.register(async (app: App) => {
    app.addHook('onRequest', server.requireDatabase);
    app.addHook('onRequest', authenticateDeveloper(server, readDeveloper));

    app.get('/api/v1/budget', { schema: readSchema }, async ({ developer }) => {
      const [budget, uses] = await Promise.all([
        budgets.budgetOf(developer.accountId),
        budgets.usesOf(developer.accountId),
      ]);
      const applications = uses
        .map(({ applications: _one, ...use }) => use)
        .sort((a, b) => b.memory_mb - a.memory_mb || b.disk_mb - a.disk_mb || a.name.localeCompare(b.name));
      return { budget, used: totalOf(uses), applications };
    });
  });
}
