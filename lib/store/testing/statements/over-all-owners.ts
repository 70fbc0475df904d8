import type { Store } from '../../store'

/**
 * The only questions about rows of more than one owner, by the store's method: of which tables, and why. What else such a
 * method does says whose rows it means, like everything else.
 */
export const overAllOwners = {
  staleRuns: {
    tables: ['runs'],
    why: 'a reply whose node died is ended by any other node, which knows nothing of its owner; an index of running replies alone answers it',
  },
  pruneRunEvents: {
    tables: ['runs'],
    why: 'events of replies that ended long ago are forgotten, whoever owns them; an index by the time of the end answers it',
  },
} as const satisfies Partial<Record<keyof Store, { readonly tables: readonly string[]; readonly why: string }>>

/** Tables that are divided by nobody, and why. */
export const undivided: Readonly<Record<string, string>> = {
  kysely_migration: 'which steps the tables have behind them',
  kysely_migration_lock: 'one node migrates at a time',
  programs: 'which versions have brought the tables up to date',
}
