import { mentionsKey } from '@/lib/base/json'
import { isBlank } from '@/lib/base/text/is-blank'
import type { OwnServers, ServerAnswer, ServerRequest } from '../own-server/own-servers'
import { err, ok, type Result } from '@/lib/base/result'
import type { BrowserModelKindId } from '../browser-model'
import { imagesInEntry, seesByOpenName } from '@/lib/shared/models/sees-images'
import { readModelList, withoutEndpoint } from '@/lib/shared/models/model-list'

/** Kinds that ask a server. */
export type ServerKindId = Extract<BrowserModelKindId, 'openai-compatible' | 'ollama' | 'lm-studio'>

/** Where each stands when no one moved it. */
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

interface FoundModel {
  readonly name: string
  /** As the server says it; null: it does not. */
  readonly contextTokens: number | null
  /** As its list or its name says. */
  readonly seesImages: boolean
}

/** Where a server says which models it has. */
const listAddress = (kind: ServerKindId, address: string): string => {
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
    const listed = readModelList(JSON.parse(text))
    if (!listed) return null
    return listed.map(({ name, contextTokens, entry }) => {
      return { name, contextTokens, seesImages: imagesInEntry(entry) ?? seesByOpenName(name) }
    })
  } catch {
    return null
  }
}

/** What the browser is, as far as reaching servers goes. */
export interface PageFacts {
  /** Of this page: what a server has to let in. */
  readonly origin: string
  readonly isHttps: boolean
  /** What the person said to the browser's question about the local network; null: it has no such question. */
  readonly localNetwork: 'granted' | 'denied' | 'prompt' | null
}

export interface ServerToExamine {
  readonly kind: ServerKindId
  readonly address: string
  readonly key: string | null
}

/** What was found out, by asking. Everything that is said of a server is said of this. */
export type Finding =
  | { readonly found: 'models'; readonly models: readonly FoundModel[] }
  /** The operator's setting does not let pages of this server go there. */
  | { readonly found: 'not-allowed' }
  | { readonly found: 'unreachable' }
  /** A safe page may not ask by http, but on this machine. */
  | { readonly found: 'mixed-content' }
  | { readonly found: 'local-network-denied' }
  | { readonly found: 'local-network-asks' }
  /** It answers, and its answer lacks the header that lets this page read it. */
  | { readonly found: 'no-cors' }
  /** It lets the page read, and refuses a header that is needed with a question. */
  | { readonly found: 'header-refused'; readonly header: 'authorization' | 'content-type' }
  | { readonly found: 'key-refused'; readonly status: number; readonly hadKey: boolean }
  /** It refuses for another reason than the key, in its own words. */
  | { readonly found: 'refused'; readonly status: number; readonly words: string }
  /** Something answers there that is no list of models. `instead`: where one was found. */
  | { readonly found: 'wrong-path'; readonly status: number; readonly instead: string | null; readonly isHtml: boolean }
  | { readonly found: 'wrong-kind'; readonly is: ServerKindId }
  | { readonly found: 'server-error'; readonly status: number }

type Asked = { readonly answer: ServerAnswer } | { readonly failed: 'not-allowed' | 'unread' }

/** Milliseconds: who does not answer within is not there. */
const PATIENCE_MS = 8_000

/**
 * Asks a server as a reply would ask it, and where that fails asks again in other ways until it is known why. Never rejects, but
 * with the signal's reason. Sends the key only with what a reply would send it with.
 */
export async function examine(
  server: ServerToExamine,
  page: PageFacts,
  servers: Pick<OwnServers, 'ask'>,
  signal: AbortSignal,
): Promise<Finding> {
  const { kind, address, key } = server
  const ask = async (request: ServerRequest): Promise<Asked> => {
    try {
      return { answer: await servers.ask(request, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])) }
    } catch (error) {
      signal.throwIfAborted()
      const isBlocked = error instanceof Error && error.name === 'HostNotAllowed'
      return { failed: isBlocked ? 'not-allowed' : 'unread' }
    }
  }
  const auth: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
  const url = listAddress(kind, address)

  async function whyUnread(): Promise<Finding> {
    const any = await ask({ url, mode: 'no-cors' })
    if ('failed' in any) {
      if (any.failed === 'not-allowed') return { found: 'not-allowed' }
      if (page.isHttps && address.startsWith('http:') && !isLoopback(address)) return { found: 'mixed-content' }
      if (page.localNetwork === 'denied') return { found: 'local-network-denied' }
      return { found: page.localNetwork === 'prompt' ? 'local-network-asks' : 'unreachable' }
    }
    // Something answers. Without the key nothing is asked beforehand: is it the header, or the page?
    if (key === null) return { found: 'no-cors' }
    const plain = await ask({ url })
    return 'answer' in plain ? { found: 'header-refused', header: 'authorization' } : { found: 'no-cors' }
  }

  /** Whether another address, or another kind, has a list. */
  async function elsewhere({ status, text }: ServerAnswer): Promise<Finding> {
    const isHtml = /^\s*<(?:!doctype|html)/i.test(text)
    const { origin } = new URL(address)
    const root = kind === 'openai-compatible' ? address.replace(/\/v\d+$/, '') : address
    const guesses: readonly (readonly [ServerKindId, string])[] = [
      [kind, kind === 'openai-compatible' ? `${address}/v1` : origin],
      [kind, kind === 'openai-compatible' ? `${origin}/v1` : origin],
      ['ollama', root],
      ['openai-compatible', `${root}/v1`],
    ]
    for (const [other, at] of guesses) {
      const guess = listAddress(other, at)
      if (guess === url) continue
      const tried = await ask({ url: guess, headers: auth })
      if (!('answer' in tried) || tried.answer.status !== 200 || !readModels(tried.answer.text)) continue
      return other === kind ? { found: 'wrong-path', status, instead: at, isHtml } : { found: 'wrong-kind', is: other }
    }
    return { found: 'wrong-path', status, instead: null, isHtml }
  }

  const first = await ask({ url, headers: auth })
  if ('failed' in first) return first.failed === 'not-allowed' ? { found: 'not-allowed' } : whyUnread()
  const { answer } = first
  const words = wordsOf(answer.text, key)
  if (answer.status === 401 || (answer.status === 403 && (isBlank(words) || mentionsKey(words))))
    return { found: 'key-refused', status: answer.status, hadKey: key !== null }
  if (answer.status === 403) return { found: 'refused', status: 403, words }
  if (answer.status >= 500 || answer.status === 429) return { found: 'server-error', status: answer.status }
  const models = answer.status === 200 ? readModels(answer.text) : null
  if (!models) return elsewhere(answer)

  // A question is sent as JSON, about which the browser asks the server beforehand; this one says nothing that could be answered.
  const chat = `${kind === 'openai-compatible' ? address : `${address}/v1`}/chat/completions`
  const posted = await ask({
    url: chat,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...auth },
    body: '{}',
  })
  if ('failed' in posted) return { found: 'header-refused', header: 'content-type' }
  if (posted.answer.status === 401) return { found: 'key-refused', status: 401, hadKey: key !== null }
  return { found: 'models', models }
}

const maxWords = 200

/** What a server said, in one line, without the key and the wrapping that error bodies have. */
function wordsOf(body: string, key: string | null): string {
  const text = key ? body.replaceAll(key, '…') : body
  const inner = /"(?:message|detail|error)"\s*:\s*"((?:[^"\\]|\\.)+)"/.exec(text)?.[1]
  const words = (inner ?? text.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ').trim()
  return words.length > maxWords ? `${words.slice(0, maxWords - 1)}…` : words
}
