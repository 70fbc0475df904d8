import type { SecretKind } from '@/lib/shared/secrets/find-secrets'
import { placeholderOf } from '@/lib/shared/secrets/placeholders'

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

/**
 * The numbers that a call may give: above `above`, and those that leave the remainder `lane` when divided by `of`.
 * Calls of one reply have different lanes, so that two devices that run two of them at once never give one number to
 * two values.
 */
export interface NumberLane {
  readonly above: number
  readonly lane: number
  readonly of: number
}

export interface SecretVault {
  /** Sorted by number. */
  list(): Promise<readonly KnownSecret[]>
  /**
   * Keeps values that a call of this reply gave, and returns all kept values. A known value keeps its number; a new one
   * gets a number of the lane above all others. One transaction: two tabs never give one number to two values.
   */
  keep(found: readonly FoundValue[], replyId: string, lane: NumberLane): Promise<readonly KnownSecret[]>
  /** The model may see these from now on. */
  show(numbers: readonly number[]): Promise<void>
}

/** Calls that were promoted from a reply's text have numbers of their own from here on. */
export const PROMOTED_NUMBERS = 100_000
export const isLow = (number: number): boolean => number < PROMOTED_NUMBERS

function withFound(
  rows: readonly KnownSecret[],
  found: readonly FoundValue[],
  replyId: string,
  { above, lane, of }: NumberLane,
): readonly KnownSecret[] {
  const byValue = new Map(rows.map((row) => [row.value, row]))
  let last = Math.max(
    above,
    0,
    ...rows.map(({ number }) => number).filter((number) => isLow(number) === isLow(above + 1)),
  )
  const nextAfter = (number: number) => number + 1 + ((((lane - number - 1) % of) + of) % of)
  for (const { value, kind } of found) {
    const known = byValue.get(value)
    if (!known)
      byValue.set(value, { number: (last = nextAfter(last)), value, kind, replies: [replyId], isShown: false })
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

/*
 * Finds known values in texts, in every spelling in which tools return them. One pass per text, however many values are
 * known: at each position, the next six characters select the values that can begin there.
 */

/** A shorter value would match unrelated text. */
const minLength = 6

/** The spellings of a value: in JSON, in an address, in Base64, in other cases, and a number without its spaces. */
export function spellings({ value, kind }: Pick<KnownSecret, 'value' | 'kind'>): readonly string[] {
  const base64 = btoa(String.fromCodePoint(...new TextEncoder().encode(value))).replace(/=+$/, '')
  const all = [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    base64,
    value.toLowerCase(),
    value.toUpperCase(),
    ...(kind === 'key' || kind === 'mail' ? [] : [value.replaceAll(/[^\dA-Za-z]/g, '')]),
  ]
  return [...new Set(all)].filter(({ length }) => length >= minLength)
}

interface Spelling {
  readonly text: string
  readonly secret: KnownSecret
}

export interface KnownValues {
  /** Replaces known values by placeholders. `found` is called with those values. */
  replace(text: string, found?: Set<KnownSecret>): string
}

const base = 31
/** `base` to the power of `minLength - 1`. */
const highest = base ** (minLength - 1)

/** The user let the model see this value. */
export function knownValues(secrets: readonly KnownSecret[]): KnownValues {
  const byHash = new Map<number, Spelling[]>()
  for (const secret of secrets) {
    for (const text of secret.isShown ? [] : spellings(secret)) {
      const hash = hashAt(text, 0)
      byHash.set(hash, [...(byHash.get(hash) ?? []), { text, secret }])
    }
  }
  // One value may be the start of another.
  for (const list of byHash.values()) list.sort((a, b) => b.text.length - a.text.length)

  return {
    replace(text, found) {
      if (byHash.size === 0 || text.length < minLength) return text
      const pieces: string[] = []
      let done = 0
      let hash = hashAt(text, 0)
      for (let at = 0; at + minLength <= text.length; at += 1) {
        const hit = at < done ? undefined : byHash.get(hash)?.find((one) => text.startsWith(one.text, at))
        if (hit) {
          found?.add(hit.secret)
          pieces.push(text.slice(done, at), placeholderOf(hit.secret.number))
          done = at + hit.text.length
        }
        hash = (Math.imul(hash - Math.imul(text.charCodeAt(at), highest), base) + text.charCodeAt(at + minLength)) | 0
      }
      return pieces.length === 0 ? text : pieces.join('') + text.slice(done)
    },
  }
}

/** The hash of six characters; the loop above updates it by one character. */
function hashAt(text: string, at: number): number {
  let hash = 0
  for (let next = at; next < at + minLength; next += 1) hash = (Math.imul(hash, base) + text.charCodeAt(next)) | 0
  return hash
}
