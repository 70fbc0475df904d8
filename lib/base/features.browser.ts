/*
 * What a page asks of its browser and may be denied. A browser that blocks the site data of Nod has these features and
 * throws where one is read (`localStorage`) or asked (`navigator.locks.request`). Pages read them here only; a test over
 * the sources holds that.
 */

/** Null where the browser lacks it, and where reading it throws, as on a server that has no `window`. */
function orNull<T>(read: () => T | undefined): T | null {
  try {
    return read() ?? null
  } catch {
    return null
  }
}

export const localStorageOrNull = (): Storage | null => orNull(() => window.localStorage)

export const sessionStorageOrNull = (): Storage | null => orNull(() => window.sessionStorage)

/** Where it is missing, one whose every request throws: those who open a database are ready for that. */
export const indexedDbOrNull = (): IDBFactory => orNull(() => window.indexedDB) ?? noDatabases

const refuse = (): never => {
  throw new DOMException('This browser refuses to store data for this site.', 'SecurityError')
}
const noDatabases: IDBFactory = { open: refuse, deleteDatabase: refuse, databases: refuse, cmp: refuse }

/** Missing on plain http. Its requests reject where site data is blocked: see `isDenied`. */
export const locksOrNull = (): LockManager | null => orNull(() => (navigator as { readonly locks?: LockManager }).locks)

/** A channel to the other tabs. */
export type TabChannel = Pick<
  BroadcastChannel,
  'addEventListener' | 'close' | 'dispatchEvent' | 'onmessage' | 'postMessage' | 'removeEventListener'
>

/** Where it can't be opened, one that hears nothing and tells no one. */
export const openChannel = (name: string): TabChannel =>
  orNull(() => new BroadcastChannel(name)) ??
  Object.assign(new EventTarget(), { onmessage: null, postMessage: () => {}, close: () => {} })

/** Missing on plain http. */
export const cachesOrNull = (): CacheStorage | null =>
  orNull(() => (window as { readonly caches?: CacheStorage }).caches)

/** Missing on plain http. */
export const serviceWorkersOrNull = (): ServiceWorkerContainer | null =>
  orNull(() => (navigator as { readonly serviceWorker?: ServiceWorkerContainer }).serviceWorker)

/** Missing on plain http. */
export const storageManagerOrNull = (): StorageManager | null =>
  orNull(() => (navigator as { readonly storage?: StorageManager }).storage)

/** Reads texts aloud. */
export const speechSynthesisOrNull = (): SpeechSynthesis | null =>
  orNull(() => (window as { readonly speechSynthesis?: SpeechSynthesis }).speechSynthesis)

/** What dictation uses of the browser's speech recognition. */
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

/** Chromium and Safari have it under a prefix; Firefox has none. */
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

/** Tells of cookies that change; most browsers have none. */
export const cookieStoreOrNull = (): EventTarget | null =>
  orNull(() => (window as { readonly cookieStore?: EventTarget }).cookieStore)

/** The cookies that scripts may read; '' where none may be. */
export const cookiesAvailable = (): string => orNull(() => document.cookie) ?? ''

/** `line`: as `document.cookie` takes it. Does nothing where cookies are refused. */
export function writeCookie(line: string): void {
  orNull(() => {
    document.cookie = line
    return true
  })
}

/** Written and taken back to see whether cookies are kept. */
export const triedCookie = 'nod_try'

/** Whether the browser keeps a cookie of this site. `navigator.cookieEnabled` is true where only this site's are blocked. */
export function canSetCookies(): boolean {
  if (cookiesAvailable() !== '') return true
  writeCookie(`${triedCookie}=1; path=/; samesite=lax`)
  const keeps = cookiesAvailable().includes(triedCookie)
  writeCookie(`${triedCookie}=; path=/; samesite=lax; max-age=0`)
  return keeps
}

/** Whether the browser keeps databases for this site. Never rejects; makes none. */
export async function canUseDatabases(): Promise<boolean> {
  try {
    await indexedDbOrNull().databases()
    return true
  } catch {
    return false
  }
}

const denials = new Set(['SecurityError', 'NotAllowedError', 'NotSupportedError', 'UnknownError'])

/** What a feature throws, or rejects with, that the browser has and denies to this site. */
export const isDenied = (thrown: unknown): boolean => thrown instanceof DOMException && denials.has(thrown.name)
