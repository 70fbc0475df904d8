import { loadModule, parse } from 'libpg-query'

/*
 * Parses SQL with PostgreSQL's own grammar, to check one thing: does every access to a table partitioned by owner name
 * a single owner? `a.owner = $1` does, and so does `b.owner = a.owner` beside it, and an `or` in which each side names
 * one. An `in`, or a condition of a left join on its left side, does not.
 */

type Node = Readonly<Record<string, unknown>>

/** A table as named in one query; `bound` once its owner is known to be a single one. */
interface Source {
  readonly table: string
  readonly alias: string
  /** Partitioned by owner: the query itself must bind it. */
  readonly divided: boolean
  bound: boolean
}

interface Scope {
  readonly sources: Source[]
  readonly outer: Scope | null
  /** Names from `with`, and whether all owners that they return are known. */
  readonly named: ReadonlyMap<string, boolean>
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const nodeAt = (node: Node | null | undefined, key: string): Node | null => {
  const value = node?.[key]
  return isNode(value) ? value : null
}
const listAt = (node: Node | null, key: string): readonly Node[] => {
  const value = node?.[key]
  return Array.isArray(value) ? value.filter(isNode) : []
}
const textAt = (node: Node | null, key: string): string => {
  const value = node?.[key]
  return typeof value === 'string' ? value : ''
}

/** Converts SQLite's `?` to `$1`, `$2` …, outside of quotes. */
const numbered = (sql: string): string => {
  let count = 0
  return sql.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g, (found) => (found === '?' ? `$${(count += 1)}` : found))
}

/** The tables in `divided` that a statement uses without binding the owner, once per use. */
export async function unboundTables(sql: string, divided: ReadonlySet<string>): Promise<readonly string[]> {
  await loadModule()
  const parsed = (await parse(numbered(sql))) as unknown as Node
  const reader = createReader(divided)
  for (const one of listAt(parsed, 'stmts')) reader.read(nodeAt(one, 'stmt') ?? {}, null)
  return reader.unbound
}

function createReader(divided: ReadonlySet<string>) {
  const unbound: string[] = []
  const done = (scope: Scope) => {
    for (const { table, divided: is, bound } of scope.sources) if (is && !bound) unbound.push(table)
  }

  /** Reads any node; queries in it have `outer` as their scope. */
  function read(node: Node, outer: Scope | null): void {
    for (const [key, value] of Object.entries(node)) {
      if (key === 'SelectStmt' && isNode(value)) select(value, outer)
      else if (key === 'InsertStmt' && isNode(value)) insert(value, outer)
      else if ((key === 'UpdateStmt' || key === 'DeleteStmt') && isNode(value)) change(value, outer)
      else if (isNode(value)) read(value, outer)
      else if (Array.isArray(value)) for (const one of value) if (isNode(one)) read(one, outer)
    }
  }

  function open(statement: Node, outer: Scope | null): Scope {
    const named = new Map(outer?.named)
    const scope: Scope = { sources: [], outer, named }
    for (const one of listAt(nodeAt(statement, 'withClause'), 'ctes')) {
      const query = nodeAt(one, 'CommonTableExpr')
      const inner = nodeAt(query, 'ctequery')
      named.set(textAt(query, 'ctename'), inner ? gives(inner, scope) : false)
    }
    return scope
  }

  /** Reads a query that is used as a table; true if each owner that it returns is bound in it. */
  function gives(query: Node, outer: Scope): boolean {
    const inner = nodeAt(query, 'SelectStmt')
    if (inner) return select(inner, outer)
    read(query, outer)
    return false
  }

  /** True if its column `owner`, or the one at that position, returns one owner. */
  function select(statement: Node, outer: Scope | null, place?: number): boolean {
    const [left, right] = [nodeAt(statement, 'larg'), nodeAt(statement, 'rarg')]
    if (left && right) {
      const scope = open(statement, outer)
      return [select(left, scope, place), select(right, scope, place)].every(Boolean)
    }
    const scope = open(statement, outer)
    for (const one of listAt(statement, 'fromClause')) from(one, scope)
    const where = nodeAt(statement, 'whereClause')
    bind([...joined(listAt(statement, 'fromClause'), scope), ...conjuncts(where, null)], scope)
    done(scope)
    const { withClause: _, fromClause: __, ...rest } = statement
    read(rest, scope)
    for (const one of listAt(statement, 'fromClause')) readConditions(one, scope)
    const targets = listAt(statement, 'targetList')
    if (place === undefined) return targets.some((target) => givesOwner(target, scope))
    return isOne(nodeAt(nodeAt(targets[place], 'ResTarget'), 'val'), scope)
  }

  function givesOwner(target: Node, scope: Scope): boolean {
    const result = nodeAt(target, 'ResTarget')
    const value = nodeAt(result, 'val')
    const name = textAt(result, 'name')
    const column = columnOf(value)
    if (column?.name === '*') return scope.sources.every(({ bound }) => bound)
    return (name === '' ? column?.name : name) === 'owner' && isOne(value, scope)
  }

  function from(node: Node, scope: Scope): void {
    const table = nodeAt(node, 'RangeVar')
    const join = nodeAt(node, 'JoinExpr')
    const query = nodeAt(node, 'RangeSubselect')
    if (table) addTable(table, scope)
    for (const side of [nodeAt(join, 'larg'), nodeAt(join, 'rarg')]) if (side) from(side, scope)
    if (query) {
      const alias = textAt(nodeAt(query, 'alias'), 'aliasname')
      const bound = gives(nodeAt(query, 'subquery') ?? {}, scope)
      scope.sources.push({ table: alias, alias, divided: false, bound })
    }
  }

  function addTable(node: Node, scope: Scope): void {
    const table = textAt(node, 'relname')
    const alias = textAt(nodeAt(node, 'alias'), 'aliasname') || table
    const known = scope.named.get(table)
    scope.sources.push({ table, alias, divided: known === undefined && divided.has(table), bound: known ?? false })
  }

  /** Reads queries within join conditions. */
  function readConditions(node: Node, scope: Scope): void {
    const join = nodeAt(node, 'JoinExpr')
    if (!join) return
    read(nodeAt(join, 'quals') ?? {}, scope)
    for (const side of [nodeAt(join, 'larg'), nodeAt(join, 'rarg')]) if (side) readConditions(side, scope)
  }

  function insert(statement: Node, outer: Scope | null): void {
    const scope = open(statement, outer)
    const target = nodeAt(statement, 'relation') ?? {}
    const at = listAt(statement, 'cols').findIndex((column) => textAt(nodeAt(column, 'ResTarget'), 'name') === 'owner')
    const query = nodeAt(nodeAt(statement, 'selectStmt'), 'SelectStmt')
    const rows = listAt(query, 'valuesLists').map((row) => listAt(nodeAt(row, 'List'), 'items')[at])
    const bound =
      rows.length > 0 ? rows.every((value) => value && isOne(value, scope)) : query !== null && select(query, scope, at)
    if (rows.length > 0) read(query ?? {}, scope)
    if (divided.has(textAt(target, 'relname')) && !(at >= 0 && bound)) unbound.push(textAt(target, 'relname'))
    read({ conflict: statement['onConflictClause'], returning: statement['returningClause'] }, scope)
  }

  function change(statement: Node, outer: Scope | null): void {
    const scope = open(statement, outer)
    addTable(nodeAt(statement, 'relation') ?? {}, scope)
    const others = [...listAt(statement, 'fromClause'), ...listAt(statement, 'usingClause')]
    for (const one of others) from(one, scope)
    bind([...joined(others, scope), ...conjuncts(nodeAt(statement, 'whereClause'), null)], scope)
    done(scope)
    const { withClause: _, fromClause: __, usingClause: ___, relation: ____, ...rest } = statement
    read(rest, scope)
    for (const one of others) readConditions(one, scope)
  }

  return { read, unbound }
}

/** A condition that holds for every row, and the only sources that it can bind (null: all). */
interface Conjunct {
  readonly node: Node
  readonly only: ReadonlySet<Source> | null
}

function conjuncts(node: Node | null, only: Conjunct['only']): readonly Conjunct[] {
  if (!node) return []
  const all = nodeAt(node, 'BoolExpr')
  if (textAt(all, 'boolop') === 'AND_EXPR') return listAt(all, 'args').flatMap((one) => conjuncts(one, only))
  return [{ node, only }]
}

/** The conditions of joins; those of an outer join bind only the side that may be missing. */
function joined(nodes: readonly Node[], scope: Scope): readonly Conjunct[] {
  return nodes.flatMap((node) => {
    const join = nodeAt(node, 'JoinExpr')
    if (!join) return []
    const [left, right] = [nodeAt(join, 'larg') ?? {}, nodeAt(join, 'rarg') ?? {}]
    const sides: Record<string, readonly Node[]> = {
      JOIN_INNER: [left, right],
      JOIN_LEFT: [right],
      JOIN_RIGHT: [left],
    }
    const names = new Set((sides[textAt(join, 'jointype')] ?? []).flatMap(aliasesIn))
    const only = new Set(scope.sources.filter(({ alias }) => names.has(alias)))
    return [...conjuncts(nodeAt(join, 'quals'), only), ...joined([left, right], scope)]
  })
}

function aliasesIn(node: Node): readonly string[] {
  const one = nodeAt(node, 'RangeVar') ?? nodeAt(node, 'RangeSubselect')
  if (one) return [textAt(nodeAt(one, 'alias'), 'aliasname') || textAt(one, 'relname')]
  const join = nodeAt(node, 'JoinExpr')
  return [nodeAt(join, 'larg'), nodeAt(join, 'rarg')].flatMap((side) => (side ? aliasesIn(side) : []))
}

/** Marks the sources whose owner is bound, until nothing more follows. */
function bind(conditions: readonly Conjunct[], scope: Scope): void {
  for (let grown = true; grown;) {
    grown = false
    for (const { node, only } of conditions) {
      for (const source of eitherNames(node, scope)) {
        if (source.bound || (only && !only.has(source))) continue
        source.bound = true
        grown = true
      }
      const equal = nodeAt(node, 'A_Expr')
      if (textAt(equal, 'kind') !== 'AEXPR_OP' || operatorOf(equal) !== '=') continue
      const sides = [nodeAt(equal, 'lexpr'), nodeAt(equal, 'rexpr')] as const
      for (const [one, other] of [sides, [sides[1], sides[0]] as const]) {
        const source = ownerOf(one, scope)
        if (!source || source.bound || !scope.sources.includes(source) || (only && !only.has(source))) continue
        if (!isOne(other, scope)) continue
        source.bound = true
        grown = true
      }
    }
  }
}

/** Sources whose owner each side of an `or` binds, each to a single one. */
function eitherNames(node: Node, scope: Scope): readonly Source[] {
  const either = nodeAt(node, 'BoolExpr')
  if (textAt(either, 'boolop') !== 'OR_EXPR') return []
  const sides = listAt(either, 'args').map((side) => {
    const tried = scope.sources.map((source) => ({ ...source }))
    bind(conjuncts(side, null), { ...scope, sources: tried })
    return tried
  })
  return scope.sources.filter((_, at) => sides.every((tried) => tried[at]?.bound === true))
}

const operatorOf = (node: Node | null): string =>
  listAt(node, 'name')
    .map((part) => textAt(nodeAt(part, 'String'), 'sval'))
    .join('.')

function columnOf(node: Node | null): { readonly table: string | null; readonly name: string } | null {
  const fields = listAt(nodeAt(node, 'ColumnRef'), 'fields')
  const last = fields.at(-1)
  if (!last) return null
  const words = fields.map((field) => textAt(nodeAt(field, 'String'), 'sval'))
  return { table: words.at(-2) ?? null, name: 'A_Star' in last ? '*' : (words.at(-1) ?? '') }
}

/** The source whose `owner` this is, in this scope or an outer one. */
function ownerOf(node: Node | null, scope: Scope | null): Source | null {
  const column = columnOf(node)
  if (column?.name !== 'owner') return null
  for (let at = scope; at; at = at.outer) {
    const found = at.sources.filter(({ alias }) => column.table === null || alias === column.table)
    if (found.length > 0) return found.length === 1 ? (found[0] ?? null) : null
  }
  return null
}

/** A value that is constant for the whole statement: a parameter, a constant, or the owner of a bound source. */
function isOne(node: Node | null, scope: Scope): boolean {
  if (!node) return false
  if ('ParamRef' in node || 'A_Const' in node) return true
  const cast = nodeAt(nodeAt(node, 'TypeCast'), 'arg')
  if (cast) return isOne(cast, scope)
  return ownerOf(node, scope)?.bound ?? false
}
