import { AsyncLocalStorage } from 'node:async_hooks'
import type { LogEvent } from 'kysely'
import type { Store } from '../../ports/store'

/** A statement as the database received it, and the store method that ran it. */
export interface Statement {
  readonly method: string
  readonly sql: string
  /** Of one execution. */
  readonly parameters: readonly unknown[]
}

export interface StatementWatch {
  /** For a store's options. */
  readonly log: (event: LogEvent) => void
  /** Opens a store whose queries are then recorded by method. */
  readonly open: (open: () => Promise<Store>) => Promise<Store>
  /** Each text once per method; unordered. */
  readonly statements: () => readonly Statement[]
  /** All methods of the opened stores. */
  readonly methods: () => readonly string[]
}

const OPENING = 'opening'
/** Statements about the connection, not about a table. */
const TRANSACTION = /^(?:begin|start transaction|commit|rollback|savepoint|release|set local)\b/i

/** Records every statement of stores. */
export function watchStatements(): StatementWatch {
  const asking = new AsyncLocalStorage<string>()
  const seen = new Map<string, Statement>()
  const methods = new Set<string>()
  return {
    log({ query }) {
      const method = asking.getStore() ?? 'nobody'
      if (method === OPENING || TRANSACTION.test(query.sql)) return
      const key = `${method} ${query.sql}`
      if (!seen.has(key)) seen.set(key, { method, sql: query.sql, parameters: query.parameters })
    },

    async open(open) {
      const store = await asking.run(OPENING, open)
      const named = <T extends object>(members: T, before = ''): T =>
        Object.fromEntries(
          Object.entries(members).map(([name, member]: [string, unknown]) => {
            if (typeof member !== 'function') return [name, member]
            methods.add(before + name)
            const method = (...args: readonly unknown[]): unknown =>
              asking.run(before + name, () => (member as (...args: readonly unknown[]) => unknown)(...args))
            return [name, method]
          }),
        ) as T
      return { ...named(store), accounts: named(store.accounts, 'accounts.') }
    },

    statements: () => [...seen.values()],
    methods: () => [...methods],
  }
}
