import { type JsonObject, isRecord } from '@/lib/base/json'

/** What the operator adds to each request to a server of models. */
export interface RequestExtras {
  readonly headers: Readonly<Record<string, string>>
  /** Fields at the top of each request for a reply; null takes a field away. */
  readonly body: JsonObject
  /** Of the headers’ values, those that are secrets: they are never shown. */
  readonly secrets: readonly string[]
}

/** The connection’s own: whoever sends them by hand breaks the request. */
export const reservedHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
])

/** Without them, or with others, the request would be another one. */
export const reservedFields: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'input',
  'contents',
  'stream',
  'tools',
])

/** The same `fetch` with the operator’s headers in each request and the operator’s fields in each JSON body. */
export function withExtras(fetch: typeof globalThis.fetch, extras: RequestExtras | undefined): typeof globalThis.fetch {
  if (!extras) return fetch
  return (input, init) => {
    const headers = new Headers(init?.headers)
    for (const [name, value] of Object.entries(extras.headers)) headers.set(name, value)
    const { body } = init ?? {}
    return fetch(input, { ...init, headers, ...(typeof body === 'string' && { body: withFields(body, extras.body) }) })
  }
}

function withFields(text: string, fields: JsonObject): string {
  if (Object.keys(fields).length === 0) return text
  const body: unknown = JSON.parse(text)
  if (!isRecord(body)) return text
  const all = Object.entries({ ...body, ...fields }).filter(([, value]) => value !== null)
  return JSON.stringify(Object.fromEntries(all))
}
