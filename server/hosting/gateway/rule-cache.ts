import type { Kysely } from 'kysely';
import { readRules } from '../rules/store.ts';
import type { RoutingRow } from './routing-rows.ts';
import { type ParsedRules, parseRules, rulesForSite, type VisitorRules } from './visitor-rules.ts';

/** Parsed rules of all applications, read again only after a change. */
export class RuleCache {
  readonly #db: Kysely<unknown>;
  readonly #parsed = new Map<string, ParsedRules>();

  constructor(db: Kysely<unknown>) {
    this.#db = db;
  }

  /** Reads the rules of these environments' applications that are new or have changed. */
  async load(rows: readonly RoutingRow[]): Promise<void> {
    const changed = rows.filter((row) => this.#parsed.get(row.application_uuid)?.version !== versionOf(row));
    const ids = [...new Set(changed.map((row) => row.application_uuid))];
    for (const row of changed) if (row.rules_version === null) this.#parsed.delete(row.application_uuid);
    if (!changed.some((row) => row.rules_version !== null)) return;
    for (const rules of await readRules(this.#db, ids))
      this.#parsed.set(rules.application_uuid, parseRules(rules));
  }

  of({ application_uuid: id, is_preview: isPreview }: RoutingRow): VisitorRules | undefined {
    const rules = this.#parsed.get(id);
    return rules && rulesForSite(rules, isPreview);
  }
}

const versionOf = ({ rules_version: version }: RoutingRow): number | undefined => version ?? undefined;
