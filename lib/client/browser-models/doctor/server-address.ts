import { err, ok, type Result } from '@/lib/base/result'
import { withoutEndpoint } from '@/lib/shared/models/endpoint-path'
import type { BrowserModelKindId } from '../browser-model'
import { readModelList } from '@/lib/shared/models/model-list'

/** Kinds that ask a server. */
export type ServerKindId = Extract<BrowserModelKindId, 'openai-compatible' | 'ollama' | 'lm-studio'>

/** Where each stands when nobody moved it. */
export const usualAddress: Readonly<Record<ServerKindId, string>> = {
  'openai-compatible': 'http://127.0.0.1:8080/v1',
  ollama: 'http://127.0.0.1:11434',
  'lm-studio': 'http://127.0.0.1:1234',
}

/** What a person typed as the address that is kept: with a scheme, without what is asked there. The error: no address. */
export function readAddress(kind: ServerKindId, typed: string): Result<string, 'no-address'> {
  const text = typed.trim()
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`
  let url: URL
  try {
    url = new URL(withScheme)
  } catch {
    return err('no-address')
  }
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  // Words are no host, though browsers make one of them.
  if (text === '' || /\s/.test(text) || !isWeb || url.username !== '' || url.password !== '') return err('no-address')
  const { path } = withoutEndpoint(url.pathname)
  // These two are known by where they stand; how they are spoken to there is ours.
  return ok(url.origin + (kind === 'openai-compatible' ? path : path.replace(/\/(?:v1|api(?:\/v\d+)?)$/, '')))
}

/** A host that browsers let a safe page reach by http. */
export const isLoopback = (address: string): boolean => {
  const { hostname } = new URL(address)
  return (
    hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || hostname.startsWith('127.')
  )
}

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
