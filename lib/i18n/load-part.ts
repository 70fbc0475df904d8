import { AppError } from '@/lib/base/app-error'
import { messagesReady } from '@/lib/i18n/messages'
import { makeRefusal } from '@/lib/i18n/t'

/*
 * The only way to load a part of the app lazily. In an offline browser, the promise of a failed `import()` stays
 * rejected, but a new call makes the bundler's runtime fetch the chunk again (measured: it forgets a chunk that
 * failed). So every `import()` of the page must go through here; a test over the sources enforces this.
 */

/** Pauses between attempts. Within each attempt, the bundler's runtime tries twice by itself, half a second apart. */
const pausesMs = [700, 2_000] as const

/** The code could not be loaded, as opposed to code that was loaded and failed. */
export class PartNotLoaded extends AppError {
  constructor(cause: unknown) {
    super('unavailable', makeRefusal('base.part-missing'), { cause })
    this.name = 'PartNotLoaded'
  }

  // The base class checks a brand that all of its errors share, so this class needs its own check.
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof AppError && value.name === 'PartNotLoaded'
  }
}

const listeners = new Set<() => void>()

/** Calls the listener each time that a part could not be loaded: an updated server no longer has the old parts. */
export function watchMissingParts(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * The result of `load` (an `import()`), retried after pauses if it fails. Resolves only when its messages are loaded in
 * the reader’s language.
 * @throws {PartNotLoaded} after the last attempt; a later call starts afresh.
 */
export async function loadPart<T>(load: () => Promise<T>, pause?: (ms: number) => Promise<void>): Promise<T> {
  const part = await loadAlone(load, pause)
  await messagesReady()
  return part
}

/** The same for parts without messages, such as the messages themselves. */
export async function loadAlone<T>(load: () => Promise<T>, pause: (ms: number) => Promise<void> = sleep): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await load()
    } catch (cause) {
      const ms = pausesMs[attempt]
      if (ms === undefined) {
        for (const listener of listeners) listener()
        throw new PartNotLoaded(cause)
      }
      await pause(ms)
    }
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
