import { mentionsKey } from '@/lib/base/json'
import { isBlank } from '@/lib/base/text/characters'
import type { OwnServers, ServerAnswer, ServerRequest } from '../own-server/own-servers'
import { err, ok, type Result } from '@/lib/base/result'
import { type BrowserModelKindId, kindName } from '../browser-model'
import { imagesInEntry, seesByOpenName } from '@/lib/shared/models/sees-images'
import { readModelList, withoutEndpoint } from '@/lib/shared/models/model-list'
import { t } from '@/lib/i18n/t'

/** Kinds that use a server. */
export type ServerKindId = Extract<BrowserModelKindId, 'openai-compatible' | 'ollama' | 'lm-studio'>

/** The default address of each. */
export const usualAddress: Readonly<Record<ServerKindId, string>> = {
  'openai-compatible': 'http://127.0.0.1:8080/v1',
  ollama: 'http://127.0.0.1:11434',
  'lm-studio': 'http://127.0.0.1:1234',
}

/**
 * Converts a typed address to the one to store: with a scheme, without the path of the request. The error: not an
 * address.
 */
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
  // Several words are not a host, though browsers accept them.
  if (text === '' || /\s/.test(text) || !isWeb || url.username !== '' || url.password !== '') return err('no-address')
  const { path } = withoutEndpoint(url.pathname)
  // The path of these two is fixed, so only the origin is kept.
  return ok(url.origin + (kind === 'openai-compatible' ? path : path.replace(/\/(?:v1|api(?:\/v\d+)?)$/, '')))
}

/** A host that browsers let a secure page reach by http. */
export const isLoopback = (address: string): boolean => {
  const { hostname } = new URL(address)
  return (
    hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || hostname.startsWith('127.')
  )
}

interface FoundModel {
  readonly name: string
  /** As the server says; null: it does not. */
  readonly contextTokens: number | null
  /** From its list or its name. */
  readonly seesImages: boolean
}

/** The address of a server's list of models. */
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

/** The list in a response; null: it is none. */
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

/** Facts about the browser that matter for reaching servers. */
export interface PageFacts {
  /** The origin of this page, which a server must allow. */
  readonly origin: string
  readonly isHttps: boolean
  /** The user's answer to the browser's question about the local network; null: it has no such question. */
  readonly localNetwork: 'granted' | 'denied' | 'prompt' | null
}

export interface ServerToExamine {
  readonly kind: ServerKindId
  readonly address: string
  readonly key: string | null
}

/** The findings of all requests. The page derives every sentence about a server from them. */
export type Finding =
  | { readonly found: 'models'; readonly models: readonly FoundModel[] }
  /** The operator's settings do not let pages of this server go there. */
  | { readonly found: 'not-allowed' }
  | { readonly found: 'unreachable' }
  /** A secure page may use http only for this machine. */
  | { readonly found: 'mixed-content' }
  | { readonly found: 'local-network-denied' }
  | { readonly found: 'local-network-asks' }
  /** It answers, but without the header that lets this page read the response. */
  | { readonly found: 'no-cors' }
  /** It lets the page read, but refuses a header that requests need. */
  | { readonly found: 'header-refused'; readonly header: 'authorization' | 'content-type' }
  | { readonly found: 'key-refused'; readonly status: number; readonly hadKey: boolean }
  /** It refuses for another reason than the key; in its own words. */
  | { readonly found: 'refused'; readonly status: number; readonly words: string }
  /** The address answers, but not with a list of models. `instead`: where one was found. */
  | { readonly found: 'wrong-path'; readonly status: number; readonly instead: string | null; readonly isHtml: boolean }
  | { readonly found: 'wrong-kind'; readonly is: ServerKindId }
  | { readonly found: 'server-error'; readonly status: number }

type Asked = { readonly answer: ServerAnswer } | { readonly failed: 'not-allowed' | 'unread' }

/** Milliseconds: a server that takes longer counts as missing. */
const PATIENCE_MS = 8_000

/**
 * Asks a server as a reply would, and if that fails asks again in other ways until the reason is known. Never rejects,
 * except with the signal's reason. Sends the key only with requests that a reply would send it with.
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
    // Something answers. Without the key there is no preflight: is it the header, or the page?
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

  // A chat request is sent as JSON, which causes a preflight; this one contains nothing that could be answered.
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

/** A server's text in one line, without the key and the usual wrapping of error bodies. */
function wordsOf(body: string, key: string | null): string {
  const text = key ? body.replaceAll(key, '…') : body
  const inner = /"(?:message|detail|error)"\s*:\s*"((?:[^"\\]|\\.)+)"/.exec(text)?.[1]
  const words = (inner ?? text.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ').trim()
  return words.length > maxWords ? `${words.slice(0, maxWords - 1)}…` : words
}

/** The advice for a finding: a sentence, and settings to paste, each with where it goes. */
export interface Advice {
  readonly ok: boolean
  readonly message: string
  readonly fixes: readonly { readonly how: string; readonly paste: string }[]
}

export function adviceOf(finding: Finding, { kind, address }: ServerToExamine, { origin }: PageFacts): Advice {
  const of = { server: kindName(kind), address, origin }
  const bad = (message: string, fixes: Advice['fixes'] = []): Advice => ({ ok: false, message, fixes })
  switch (finding.found) {
    case 'models':
      return { ok: true, message: t('doctor.models', { count: finding.models.length }), fixes: [] }
    case 'not-allowed':
    case 'unreachable':
    case 'mixed-content':
    case 'local-network-denied':
    case 'local-network-asks':
      return bad(t(`doctor.${finding.found}`, of))
    case 'no-cors':
      return bad(t('doctor.no-cors', of), corsFixes(kind, origin))
    case 'header-refused': {
      const header = finding.header === 'authorization' ? 'Authorization' : 'Content-Type'
      const proxy = { how: t('how.headers'), paste: t('fix.headers') }
      return bad(t('doctor.header-refused', { ...of, header }), [...corsFixes(kind, origin).slice(0, 1), proxy])
    }
    case 'key-refused':
      return bad(t('doctor.key-refused', finding))
    case 'refused':
      return bad(t('doctor.refused', finding))
    case 'wrong-path':
      return bad(t('doctor.wrong-path', finding))
    case 'wrong-kind':
      return bad(
        t('doctor.wrong-kind', {
          is: finding.is === 'openai-compatible' ? t('doctor.compatible') : kindName(finding.is),
        }),
      )
    case 'server-error':
      return bad(t('doctor.server-error', finding))
  }
}

function corsFixes(kind: ServerToExamine['kind'], origin: string): Advice['fixes'] {
  switch (kind) {
    case 'ollama':
      return [{ how: t('how.ollama'), paste: t('fix.ollama', { origin }) }]
    case 'lm-studio':
      return [{ how: t('how.lm-studio'), paste: t('fix.lm-studio') }]
    case 'openai-compatible':
      return [
        { how: t('how.llama-cpp'), paste: t('fix.llama-cpp', { origin }) },
        { how: t('how.vllm'), paste: t('fix.vllm', { origin }) },
      ]
  }
}
