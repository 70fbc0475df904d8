/*
 * Browser features that a page may be denied. A browser that blocks Nod's site data has these features, but throws when
 * one is read (`localStorage`) or called (`navigator.locks.request`). Pages read them only here; a test over the
 * sources enforces that.
 */

/** Null if the browser lacks the feature or throws when it is read, as on a server, which has no `window`. */
function orNull<T>(read: () => T | undefined): T | null {
  try {
    return read() ?? null
  } catch {
    return null
  }
}

export const localStorageOrNull = (): Storage | null => orNull(() => window.localStorage)

export const sessionStorageOrNull = (): Storage | null => orNull(() => window.sessionStorage)

/** If it is missing, returns a factory whose every request throws; callers that open a database handle that. */
export const indexedDbOrNull = (): IDBFactory => orNull(() => window.indexedDB) ?? noDatabases

const refuse = (): never => {
  throw new DOMException('This browser refuses to store data for this site.', 'SecurityError')
}
const noDatabases: IDBFactory = { open: refuse, deleteDatabase: refuse, databases: refuse, cmp: refuse }

/** Missing over plain HTTP. Its requests reject where site data is blocked: see `isDenied`. */
export const locksOrNull = (): LockManager | null => orNull(() => (navigator as { readonly locks?: LockManager }).locks)

/** A channel to the other tabs. */
export type TabChannel = Pick<
  BroadcastChannel,
  'addEventListener' | 'close' | 'dispatchEvent' | 'onmessage' | 'postMessage' | 'removeEventListener'
>

/** If it can't be opened, returns a channel that neither sends nor receives. */
export const openChannel = (name: string): TabChannel =>
  orNull(() => new BroadcastChannel(name)) ??
  Object.assign(new EventTarget(), { onmessage: null, postMessage: () => {}, close: () => {} })

/** Missing over plain HTTP. */
export const cachesOrNull = (): CacheStorage | null =>
  orNull(() => (window as { readonly caches?: CacheStorage }).caches)

/** Missing over plain HTTP. */
export const serviceWorkersOrNull = (): ServiceWorkerContainer | null =>
  orNull(() => (navigator as { readonly serviceWorker?: ServiceWorkerContainer }).serviceWorker)

/** Missing over plain HTTP. */
export const storageManagerOrNull = (): StorageManager | null =>
  orNull(() => (navigator as { readonly storage?: StorageManager }).storage)

/** Reads texts aloud. */
export const speechSynthesisOrNull = (): SpeechSynthesis | null =>
  orNull(() => (window as { readonly speechSynthesis?: SpeechSynthesis }).speechSynthesis)

/** The part of the browser's speech recognition that dictation uses. */
export interface Dictation {
  lang: string
  continuous: boolean
  interimResults: boolean
  onresult: ((event: { readonly resultIndex: number; readonly results: DictationResults }) => void) | null
  onerror: ((event: { readonly error: string }) => void) | null
  onend: (() => void) | null
  start(): void
  stop(): void
}
export type DictationResults = ArrayLike<{
  readonly isFinal: boolean
  readonly [alternative: number]: { readonly transcript: string } | undefined
}>

/** Chromium and Safari have it under a prefix; Firefox lacks it. */
export const speechRecognitionOrNull = (): (new () => Dictation) | null =>
  orNull(() => {
    const { SpeechRecognition, webkitSpeechRecognition } = window as unknown as {
      readonly SpeechRecognition?: new () => Dictation
      readonly webkitSpeechRecognition?: new () => Dictation
    }
    return SpeechRecognition ?? webkitSpeechRecognition
  })

export const notificationsOrNull = (): typeof Notification | null =>
  orNull(() => (window as { readonly Notification?: typeof Notification }).Notification)

/** Fires events when cookies change; most browsers lack it. */
export const cookieStoreOrNull = (): EventTarget | null =>
  orNull(() => (window as { readonly cookieStore?: EventTarget }).cookieStore)

/** The cookies that scripts may read; '' if they may read none. */
export const cookiesAvailable = (): string => orNull(() => document.cookie) ?? ''

/** `line` has the format of `document.cookie`. Does nothing where cookies are refused. */
export function writeCookie(line: string): void {
  orNull(() => {
    document.cookie = line
    return true
  })
}

/** Set and deleted again to find out whether cookies are kept. */
export const triedCookie = 'nod_try'

/**
 * Whether the browser keeps cookies for this site. `navigator.cookieEnabled` is true even when only this site's cookies
 * are blocked.
 */
export function canSetCookies(): boolean {
  if (cookiesAvailable() !== '') return true
  writeCookie(`${triedCookie}=1; path=/; samesite=lax`)
  const keeps = cookiesAvailable().includes(triedCookie)
  writeCookie(`${triedCookie}=; path=/; samesite=lax; max-age=0`)
  return keeps
}

/** Whether the browser keeps databases for this site. Never rejects; creates none. */
export async function canUseDatabases(): Promise<boolean> {
  try {
    await indexedDbOrNull().databases()
    return true
  } catch {
    return false
  }
}

const denials = new Set(['SecurityError', 'NotAllowedError', 'NotSupportedError', 'UnknownError'])

/** Whether this is the error of a feature that the browser has but denies to this site. */
export const isDenied = (thrown: unknown): boolean => thrown instanceof DOMException && denials.has(thrown.name)

/** Whether the platform uses Command instead of Ctrl. */
export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent)
