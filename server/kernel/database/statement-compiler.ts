import {
  type CompiledQuery,
  createQueryId,
  type Dialect,
  IdentifierNode,
  type OperationNode,
  PostgresQueryCompiler,
  type QueryId,
  RawNode,
  ReferenceNode,
  type RootOperationNode,
  TableNode,
  ValueNode,
} from 'kysely';

/** Maximum number of parts of statements that are remembered; statements beyond are compiled at each call. */
const MOST_PARTS = 20_000;
/** Statements with more values are compiled at each call: their number of values hardly ever repeats. */
const MOST_VALUES = 200;

/** Part of a statement: a template (an `sql` tag), the text of one that is made at run time, or a value. */
type Part = object | string | typeof VALUE;
const VALUE = Symbol('value');
const NO_ID = createQueryId();

/** Place in a tree of statements, in which the parts of a statement are the path. */
class Place {
  readonly next = new Map<Part, Place>();
  /** Compiled statement that ends here. */
  text: string | undefined;
}

/** Kysely's dialect, with a compiler that compiles each statement once. */
export function withStatementCompiler(dialect: Dialect): Dialect {
  return {
    createDriver: () => dialect.createDriver(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => new StatementCompiler(),
  };
}

/**
 * Compiles statements written with `sql` tags. The templates of such a statement are the same objects at each call, and
 * determine its text together with the places of the values. So a statement is compiled once, and later only found. The
 * found text is always the same string, whose hash is known: to look up the name of a prepared statement by a string that
 * was put together anew takes longer than to compile it.
 */
export class StatementCompiler extends PostgresQueryCompiler {
  readonly #start = new Place();
  #parts = 0;

  override compileQuery(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    const parameters: unknown[] = [];
    const place = this.#follow(this.#start, node, parameters);
    if (!place) return super.compileQuery(node, queryId);
    place.text ??= super.compileQuery(node, queryId).sql;
    return { query: node, queryId, sql: place.text, parameters };
  }

  /**
   * Follows the parts of a statement from a place on, and collects their values. Undefined if the statement is one that
   * is compiled at each call.
   */
  #follow(from: Place, node: OperationNode, values: unknown[]): Place | undefined {
    if (RawNode.is(node)) {
      let place = this.#step(from, partOf(node.sqlFragments));
      for (const parameter of node.parameters) place = place && this.#follow(place, parameter, values);
      return place;
    }
    if (ValueNode.is(node) && !node.immediate) {
      values.push(node.value);
      return values.length > MOST_VALUES ? undefined : this.#step(from, VALUE);
    }
    return isText(node) ? this.#step(from, this.#textOf(node)) : undefined;
  }

  #textOf(node: OperationNode): string {
    return super.compileQuery(node as RootOperationNode, NO_ID).sql;
  }

  #step(from: Place, part: Part): Place | undefined {
    const known = from.next.get(part);
    if (known || this.#parts === MOST_PARTS) return known;
    const place = new Place();
    from.next.set(part, place);
    this.#parts += 1;
    return place;
  }
}

/** True for a name of a column or table (`sql.ref`, `sql.table`, `sql.id`) and for a literal (`sql.lit`). */
function isText(node: OperationNode): boolean {
  return ReferenceNode.is(node) || TableNode.is(node) || IdentifierNode.is(node) || ValueNode.is(node);
}

function partOf(fragments: readonly string[]): Part {
  if ('raw' in fragments) return fragments;
  return fragments.length === 1 ? (fragments[0] ?? '') : fragments.join('\0');
}
