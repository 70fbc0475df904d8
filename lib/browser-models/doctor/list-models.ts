import type { ServerKindId } from './server-address'

export interface FoundModel {
  readonly name: string
  /** As the server says it; null: it does not. */
  readonly contextTokens: number | null
}

/** Where a server says which models it has. */
export const listAddress = (kind: ServerKindId, address: string): string => {
  switch (kind) {
    case 'openai-compatible':
      return `${address}/models`
    case 'ollama':
      return `${address}/api/tags`
    case 'lm-studio':
      return `${address}/v1/models`
  }
}

const windows = ['max_model_len', 'context_length', 'context_window', 'max_context_length', 'n_ctx'] as const

/** The list in an answer; null: it is none. */
export function readModels(kind: ServerKindId, text: string): readonly FoundModel[] | null {
  const value = parsed(text)
  const list = kind === 'ollama' ? value?.['models'] : value?.['data']
  if (!Array.isArray(list)) return null
  return list.flatMap((entry: unknown) => {
    const one = asShape(entry)
    const name = one?.[kind === 'ollama' ? 'name' : 'id']
    if (!one || typeof name !== 'string' || name === '' || name.length > 300) return []
    const meta = asShape(one['meta'])
    const said = windows.flatMap((key) => [one[key], meta?.[key]]).find(isWindow)
    return [{ name, contextTokens: said ?? null }]
  })
}

const isWindow = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

type Shape = Readonly<Record<string, unknown>>
const asShape = (value: unknown): Shape | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Shape) : null

function parsed(text: string): Shape | null {
  try {
    return asShape(JSON.parse(text))
  } catch {
    return null
  }
}
