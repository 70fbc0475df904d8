import type { OutboxStorage } from './outbox'

/** The most texts kept. Older ones belong to fields that nobody returned to. */
const most = 40
const prefix = 'nod:unsent:'

/**
 * Text typed into fields other than the composer (an edit, a reason, arguments) and not submitted yet. This browser
 * keeps it across reloads and crashes. A text is identified by the name of its subject.
 */
export interface Unsent {
  readonly get: (name: string) => string | null
  /** Null: it was submitted or discarded. */
  readonly set: (name: string, text: string | null) => void
}

/** `storage`: null if the browser has no storage. */
export function createUnsent(storage: OutboxStorage | null, now: () => number): Unsent {
  /** `<when>:<text>` */
  const read = (key: string): { readonly at: number; readonly text: string } | null => {
    const row = storage?.getItem(key) ?? null
    if (row === null) return null
    const end = row.indexOf(':')
    return { at: Number(row.slice(0, end)), text: row.slice(end + 1) }
  }
  function leaveOldest(): void {
    const keys = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? '')
    const ours = keys.filter((key) => key.startsWith(prefix))
    if (ours.length <= most) return
    const byAge = ours.map((key) => ({ key, at: read(key)?.at ?? 0 })).toSorted((a, b) => b.at - a.at)
    for (const { key } of byAge.slice(most)) storage?.removeItem(key)
  }
  return {
    get(name) {
      try {
        return read(prefix + name)?.text ?? null
      } catch {
        return null
      }
    },
    set(name, text) {
      try {
        if (text === null) return storage?.removeItem(prefix + name)
        storage?.setItem(prefix + name, `${now()}:${text}`)
        leaveOldest()
      } catch {
        // Storage is full or refused: the text lasts as long as its field.
      }
    },
  }
}
