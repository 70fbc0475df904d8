import { readModelList } from '@/lib/shared/models/model-list'
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

/** The list in an answer; null: it is none. */
export function readModels(text: string): readonly FoundModel[] | null {
  try {
    return readModelList(JSON.parse(text))?.map(({ name, contextTokens }) => ({ name, contextTokens })) ?? null
  } catch {
    return null
  }
}
