import { AsyncLocalStorage } from 'node:async_hooks'
import type { LogEvent } from 'kysely'
import type { Store } from '../../ports/store'

/** A statement as the database got it, and the method of the store that asked. */
export interface Statement {
  readonly method: string
  readonly sql: string
  /** Of one time that it was asked. */
  readonly parameters: readonly unknown[]
}

export interface StatementWatch {
  /** For a store's options. */
  readonly log: (event: LogEvent) => void
  /** Opens a store, whose questions are then known by the method that asks them. */
  readonly open: (open: () => Promise<Store>) => Promise<Store>
  /** Each text once a method; in no order. */
  readonly statements: () => readonly Statement[]
  /** Every method that the opened stores have. */
  readonly methods: () => readonly string[]
}

const OPENING = 'opening'
/** Said to the connection, about no table. */
const TRANSACTION = /^(?:begin|start transaction|commit|rollback|savepoint|release|set local)\b/i

/** Hears of every statement that stores make. */
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
