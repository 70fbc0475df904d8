import type { JsonObject } from '@/lib/base/json'

/*
 * The Prompt API (webmachinelearning.github.io/prompt-api), as far as it is used here: a window's global
 * `LanguageModel`, in secure pages of browsers with a built-in model.
 */

export type ChromeAvailability = 'unavailable' | 'downloadable' | 'downloading' | 'available'

export interface ChromePrompt {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

export interface ChromeSession {
  promptStreaming(
    input: readonly ChromePrompt[] | string,
    options?: {
      readonly signal?: AbortSignal
      /** A JSON Schema that the answer must follow. */
      readonly responseConstraint?: JsonObject
      /** The schema is not added to the prompt, which already describes the format. */
      readonly omitResponseConstraintInput?: boolean
    },
  ): ReadableStream<string>
  /** Tokens. */
  readonly contextUsage?: number
  readonly contextWindow?: number
  destroy(): void
}

export interface ChromeLanguageModel {
  availability(): Promise<ChromeAvailability>
  create(options: {
    readonly initialPrompts?: readonly ChromePrompt[]
    readonly signal?: AbortSignal
    readonly monitor?: (monitor: EventTarget) => void
  }): Promise<ChromeSession>
}

/** Null: this browser has none. */
export function chromeModelOf(window: object): ChromeLanguageModel | null {
  const found = (window as { readonly LanguageModel?: Partial<ChromeLanguageModel> }).LanguageModel
  const isOne = typeof found?.availability === 'function' && typeof found.create === 'function'
  return isOne ? (found as ChromeLanguageModel) : null
}

/** Downloads the model if it is missing; `onProgress`: 0 to 1. Returns its context window in tokens, if known. */
export async function prepareChromeModel(
  model: ChromeLanguageModel,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<number | null> {
  const session = await model.create({
    signal,
    monitor: (monitor) =>
      monitor.addEventListener('downloadprogress', (event) => {
        const { loaded } = event as ProgressEvent
        if (Number.isFinite(loaded)) onProgress(Math.min(1, Math.max(0, loaded)))
      }),
  })
  const { contextWindow } = session
  session.destroy()
  return contextWindow !== undefined && Number.isFinite(contextWindow) && contextWindow >= 1
    ? Math.floor(contextWindow)
    : null
}
