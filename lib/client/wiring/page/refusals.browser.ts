import { canSetCookies, canUseDatabases, localStorageOrNull } from '@/lib/base/features.browser'

/** What the browser refuses to this site. */
export interface Refusals {
  /** Without them the server can't tell whose chats are whose. */
  readonly cookies: boolean
  /** Drafts and unsent messages last as long as the page. */
  readonly words: boolean
  /** Files of chats and the browser's own models can't be stored. */
  readonly files: boolean
}

const none: Refusals = { cookies: false, words: false, files: false }

let known = none
const listeners = new Set<() => void>()

/** Asks the browser again. Never rejects. */
export async function watchRefusals(): Promise<void> {
  const next = { cookies: !canSetCookies(), words: !canStoreText(), files: !(await canUseDatabases()) }
  if (next.cookies === known.cookies && next.words === known.words && next.files === known.files) return
  known = next
  for (const listener of listeners) listener()
}

export const browserRefusals = {
  now: (): Refusals => known,
  /** On the server nothing is refused. */
  none: (): Refusals => none,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

/** Whether it stores at all; missing space is reported where something did not fit. */
function canStoreText(): boolean {
  const storage = localStorageOrNull()
  try {
    storage?.getItem('nod:try')
    return storage !== null
  } catch {
    return false
  }
}
