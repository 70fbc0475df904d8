import { indexedDbOrNull, localStorageOrNull } from '@/lib/base/features.browser'
import { staleDatabasesKey } from './stale-databases-key'
import { forgetDatabases, takeDatabasesAlong, type DatabasePorts, endInTime } from './person-databases'

/*
 * Work on a user's databases, recorded before it begins: if a tab that is frozen, or of an older build, blocks it,
 * nobody waits for that tab, and Nod finishes the work at its next start.
 */

type Act = 'forget' | 'take'

interface Left {
  readonly act: Act
  /** The mark of the account; empty: data without an account. */
  readonly who: string
}

export interface LeftPorts extends DatabasePorts {
  /** The browser's own storage, for all accounts; null: nothing can be recorded. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null
}

/** The ports of a real page. */
export const portsOfPage = (): LeftPorts => ({
  indexedDB: indexedDbOrNull(),
  storage: localStorageOrNull(),
  schedule(task, ms) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
})

/** The longest wait. */
export const maxWaitMs = 3_000

const acts = { forget: forgetDatabases, take: takeDatabasesAlong } as const satisfies Record<Act, unknown>

/**
 * Whether it was done in time; else it continues, and is done at the next start at the latest. Rejects if the browser
 * refuses.
 */
export const forgetInTime = (who: string, ports: LeftPorts): Promise<boolean> => inTime({ act: 'forget', who }, ports)

/** Like `forgetInTime`, but data without an account moves to the account. */
export const takeAlongInTime = (who: string, ports: LeftPorts): Promise<boolean> => inTime({ act: 'take', who }, ports)

/** Does the recorded work. Resolves when all is done, or when the browser refused. */
export async function deleteStaleDatabases(ports: LeftPorts): Promise<void> {
  for (const left of readLeft(ports)) await done(left, ports).catch(() => undefined)
}

function inTime(left: Left, ports: LeftPorts): Promise<boolean> {
  // An account that ends gets nothing more: data that would still have moved stays the browser's.
  const others = readLeft(ports).filter(({ who }) => left.act !== 'forget' || who !== left.who)
  writeLeft([...others.filter((one) => !isSame(one, left)), left], ports)
  return endInTime([done(left, ports)], maxWaitMs, ports.schedule)
}

async function done(left: Left, ports: LeftPorts): Promise<void> {
  await acts[left.act](left.who, ports)
  writeLeft(
    readLeft(ports).filter((one) => !isSame(one, left)),
    ports,
  )
}

const isSame = (one: Left, other: Left): boolean => one.act === other.act && one.who === other.who

function readLeft({ storage }: LeftPorts): readonly Left[] {
  try {
    const value: unknown = JSON.parse(storage?.getItem(staleDatabasesKey) ?? '[]')
    return Array.isArray(value) ? value.filter(isLeft) : []
  } catch {
    return []
  }
}

function writeLeft(left: readonly Left[], { storage }: LeftPorts): void {
  try {
    if (left.length === 0) storage?.removeItem(staleDatabasesKey)
    else storage?.setItem(staleDatabasesKey, JSON.stringify(left))
  } catch {
    // No space: it is done now, or by hand.
  }
}

const isLeft = (value: unknown): value is Left =>
  typeof value === 'object' &&
  value !== null &&
  'act' in value &&
  (value.act === 'forget' || value.act === 'take') &&
  'who' in value &&
  typeof value.who === 'string'
