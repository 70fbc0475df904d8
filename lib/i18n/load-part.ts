import { AppError } from '@/lib/base/app-error'
import { messagesReady } from '@/lib/i18n/messages'
import { makeRefusal } from '@/lib/i18n/t'

/*
 * The one way to load a part of the app on need. A browser away from its network fails an `import()` for good as far as
 * that promise goes; asked again, the bundler's runtime fetches the chunk again (measured: it forgets a chunk that
 * failed). So every `import()` of the page goes through here, held by a test over the sources.
 */

/** Between one try and the next. The bundler's runtime tries twice by itself within each, half a second apart. */
const pausesMs = [700, 2_000] as const

/** The code did not come, as opposed to code that came and failed. */
export class PartNotLoaded extends AppError {
  constructor(cause: unknown) {
    super('unavailable', makeRefusal('base.part-missing'), { cause })
    this.name = 'PartNotLoaded'
  }

  // The base class knows its kind by a brand that all of its errors share.
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof AppError && value.name === 'PartNotLoaded'
  }
}

const listeners = new Set<() => void>()

/** Told each time that a part could not be loaded: a server that was updated has no such part any longer. */
export function watchMissingParts(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * What `load` (an `import()`) gives, tried again after a pause when it fails, and not before what it says is here in the reader’s
 * language.
 * @throws {PartNotLoaded} after the last try; asking again later is a fresh start.
 */
export async function loadPart<T>(load: () => Promise<T>, pause?: (ms: number) => Promise<void>): Promise<T> {
  const part = await loadAlone(load, pause)
  await messagesReady()
  return part
}

/** The same for what says nothing: the words themselves. */
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
