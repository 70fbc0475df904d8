import type { AppError } from '@/lib/base/app-error'
import type { WllamaClient } from './client'
import type { ChatTurn, LoadedModel, WllamaNotice, WriteEnd, WriteOptions } from './protocol'

/** A model as it is chosen: where its file is, and how it is to be loaded. */
export interface ModelChoice {
  /** The same choice has the same key: what is loaded under it is not loaded again. */
  readonly key: string
  /** @throws {AppError} where the file is gone, or has to be picked again */
  readonly file: () => Promise<File>
  /** Null: what suits the model and the page. */
  readonly windowTokens: number | null
  readonly threads: number
}

/** Loads the model that is to write, when it is to write: one at a time, since each takes most of a page's memory. */
export function createWllamaRunner(client: WllamaClient) {
  let loaded: { readonly key: string; readonly generation: number; readonly model: LoadedModel } | null = null
  let loading: Promise<unknown> = Promise.resolve()

  const isLoaded = (key: string): boolean => loaded?.key === key && loaded.generation === client.generation()

  async function load(
    choice: ModelChoice,
    onTold: (told: WllamaNotice) => void,
    signal?: AbortSignal,
  ): Promise<LoadedModel> {
    await loading.catch(() => {})
    if (loaded !== null && isLoaded(choice.key)) return loaded.model
    loaded = null
    const { key, windowTokens, threads } = choice
    const doing = (async () => {
      const file = await choice.file()
      // A worker that was ended loads nothing: the one that answers is the one that has it.
      const model = await client.ask(
        { ask: 'load', file, windowTokens, threads },
        { onTold, ...(signal && { signal }) },
      )
      loaded = { key, generation: client.generation(), model }
      return model
    })()
    loading = doing
    return doing
  }

  return {
    /** Loads it unless it is. Rejects with an AppError, or with the signal's reason. */
    load,
    isLoaded,
    /** Something is loaded whose key begins so. */
    isLoadedFrom: (start: string): boolean => loaded !== null && loaded.key.startsWith(start) && isLoaded(loaded.key),
    /** @throws {AppError} with the reason; the signal's own at once when that ends it */
    async write(
      choice: ModelChoice,
      turns: readonly ChatTurn[],
      options: WriteOptions,
      onTold: (told: WllamaNotice) => void,
      signal?: AbortSignal,
    ): Promise<WriteEnd> {
      const given = signal && { signal }
      await load(choice, onTold, signal)
      try {
        return await client.ask({ ask: 'write', turns, options }, { onTold, ...given })
      } catch (error) {
        // llama.cpp died inside of its worker, which lives: the model has to come again.
        if (isNamedCrash(error)) loaded = null
        throw error
      }
    },
    /** Stop was pressed a second time: what still ends ends at once, and the model is loaded anew for the next reply. */
    hasten: client.hasten,
    /** Frees the memory at once; a reply that it writes ends with `why`. */
    unload(key: string, why: AppError): void {
      if (!isLoaded(key)) return
      loaded = null
      client.end(why)
    },
  }
}

const isNamedCrash = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'reason' in error && error.reason === 'wllama.crashed'

export type WllamaRunner = ReturnType<typeof createWllamaRunner>
