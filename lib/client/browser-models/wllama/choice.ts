import { type JsonObject, isRecord } from '@/lib/base/json'
import { isJsonObject } from '@/lib/base/json'
import type { BrowserModelConfig } from '../browser-model'

/** Where the weights of a model are. */
export type WeightsSource =
  /** In the browser's storage. */
  | { readonly kind: 'kept'; readonly id: string; readonly name: string }
  /** A file on the disk, which the page may read until it is reloaded. */
  | { readonly kind: 'picked'; readonly name: string; readonly bytes: number }

/** The stored settings of a model that this browser runs. */
export interface WllamaChoice {
  readonly source: WeightsSource
  /** Null: chosen for the model and the page. */
  readonly windowTokens: number | null
}

/** Models with the same weights differ in how they are loaded; their keys begin with the weights. */
export const choiceKey = (source: WeightsSource): string => JSON.stringify(source)

/** Null: another version wrote it, or it is damaged. */
export function readChoice(options: JsonObject): WllamaChoice | null {
  const { source, windowTokens } = options
  if (!isRecord(source) || typeof source['name'] !== 'string') return null
  const whole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0
  const rest = { windowTokens: whole(windowTokens) ? windowTokens : null }
  const { kind, name, id, bytes } = source
  if (kind === 'kept' && typeof id === 'string') return { source: { kind, id, name }, ...rest }
  if (kind === 'picked' && typeof bytes === 'number') return { source: { kind, name, bytes }, ...rest }
  return null
}

/** A list entry for these weights; the same weights give the same model. `now` in epoch milliseconds. */
export function configOfWeights(
  {
    source,
    windowTokens = null,
    contextTokens,
  }: {
    readonly source: WeightsSource
    readonly windowTokens?: number | null
    /** The context window it will be loaded with; null: unknown yet. */
    readonly contextTokens: number | null
  },
  now: number,
): BrowserModelConfig {
  const label = source.name.replace(/\.gguf$/i, '').slice(0, 80) || source.name.slice(0, 80)
  const unique = source.kind === 'kept' ? source.id : `${source.name.slice(0, 80)}-${source.bytes}`
  const options: unknown = { source, windowTokens }
  return {
    version: 1,
    id: `browser/wllama:${encodeURIComponent(unique)}`,
    kind: 'wllama',
    name: source.name.slice(0, 300),
    label,
    contextTokens,
    seesImages: false,
    server: null,
    options: isJsonObject(options) ? options : {},
    addedAt: now,
  }
}
