import type { SecretKind } from '@/lib/shared/secrets/find-secrets'

/*
 * The values behind the placeholders of one chat. They are stored only in this browser, in a database of the chat that
 * is deleted with the chat's files. The value of a number never changes.
 */

export interface KnownSecret {
  /** The number of its placeholder. */
  readonly number: number
  readonly value: string
  readonly kind: SecretKind
  /** Replies with results that contain the value. The placeholder has this value only in their branches. */
  readonly replies: readonly string[]
  /** The user let the model see the value, so it is not replaced again. */
  readonly isShown: boolean
}

export type FoundValue = Pick<KnownSecret, 'value' | 'kind'>

export interface SecretVault {
  /** Sorted by number. */
  list(): Promise<readonly KnownSecret[]>
  /**
   * Stores values from a call of this reply, and returns all stored values. A known value keeps its number. A new one
   * gets a number above `above` and above all others. One transaction, so two tabs never assign one number twice.
   */
  keep(found: readonly FoundValue[], replyId: string, above: number): Promise<readonly KnownSecret[]>
  /** Lets the model see these values from now on. */
  show(numbers: readonly number[]): Promise<void>
}

function withFound(
  rows: readonly KnownSecret[],
  found: readonly FoundValue[],
  replyId: string,
  above: number,
): readonly KnownSecret[] {
  const byValue = new Map(rows.map((row) => [row.value, row]))
  let last = Math.max(above, 0, ...rows.map(({ number }) => number))
  for (const { value, kind } of found) {
    const known = byValue.get(value)
    if (!known) byValue.set(value, { number: (last += 1), value, kind, replies: [replyId], isShown: false })
    else if (!known.replies.includes(replyId)) byValue.set(value, { ...known, replies: [...known.replies, replyId] })
  }
  return [...byValue.values()]
}

const withShown = (rows: readonly KnownSecret[], numbers: readonly number[]): readonly KnownSecret[] =>
  rows.map((row) => (numbers.includes(row.number) ? { ...row, isShown: true } : row))

/** For temporary chats, and browsers without storage: the values are lost when the page closes. */
export function createMemoryVault(rows: readonly KnownSecret[] = []): SecretVault {
  return {
    list: () => Promise.resolve(rows),
    keep: (...found) => Promise.resolve((rows = withFound(rows, ...found))),
    show(numbers) {
      rows = withShown(rows, numbers)
      return Promise.resolve()
    },
  }
}

const STORE = 'secrets'

/**
 * `name`: of the chat's database. If the browser refuses storage, the values are kept in memory; none is sent for that
 * reason.
 */
export function createSecretVault(factory: () => IDBFactory, name: string): SecretVault {
  let memory: SecretVault | null = null
  let lastRead: readonly KnownSecret[] = []

  async function change(
    work: ((rows: readonly KnownSecret[]) => readonly KnownSecret[]) | null,
  ): Promise<readonly KnownSecret[]> {
    const database = await openDatabase(factory(), name)
    try {
      const transaction = database.transaction(STORE, work ? 'readwrite' : 'readonly')
      const store = transaction.objectStore(STORE)
      const asked = store.getAll() as IDBRequest<unknown[]>
      return await new Promise((resolve, reject) => {
        let rows: readonly KnownSecret[] = []
        asked.onsuccess = () => {
          const before = asked.result.filter(isKnownSecret)
          rows = work ? work(before) : before
          for (const row of rows) if (!before.includes(row)) store.put(row)
        }
        transaction.oncomplete = () => resolve((lastRead = rows))
        transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'))
      })
    } finally {
      // An open connection would block the chat's deletion.
      database.close()
    }
  }
  const orMemory = async <T>(stored: () => Promise<T>, kept: (vault: SecretVault) => Promise<T>): Promise<T> => {
    if (memory) return kept(memory)
    try {
      return await stored()
    } catch {
      memory ??= createMemoryVault(lastRead)
      return kept(memory)
    }
  }

  return {
    list: () =>
      orMemory(
        () => change(null),
        (vault) => vault.list(),
      ),
    keep: (...found) =>
      orMemory(
        () => change((rows) => withFound(rows, ...found)),
        (vault) => vault.keep(...found),
      ),
    show: (numbers) =>
      orMemory(
        async () => void (await change((rows) => withShown(rows, numbers))),
        (vault) => vault.show(numbers),
      ),
  }
}

const openDatabase = (factory: IDBFactory, name: string): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = factory.open(name)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'number' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('the browser keeps nothing here'))
  })

/** Another build may have written it. */
const isKnownSecret = (row: unknown): row is KnownSecret =>
  typeof row === 'object' &&
  row !== null &&
  'number' in row &&
  Number.isSafeInteger(row.number) &&
  'value' in row &&
  typeof row.value === 'string' &&
  row.value !== '' &&
  'replies' in row &&
  Array.isArray(row.replies)
