import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { VendorKind } from '../vendors'

/** A vendor's token counts for one reply. */
export interface VendorCounts {
  /** Of the whole prompt. */
  readonly prompt: number
  /** The cached part of it; null: not reported. */
  readonly cached: number | null
  readonly written: number
}

export interface VendorServer {
  /** As in a configuration: up to the version. */
  readonly url: string
  /** `POST /v1/messages` and the body, oldest first. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

/** A server that answers each reply as a vendor's own API streams it: the text "One. Two.", then these counts. */
export async function startVendorServer(kind: ServedVendor, counts: () => VendorCounts): Promise<VendorServer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    void (async () => {
      asked.push(`${request.method} ${request.url}\n${await bodyOf(request)}`)
      const { path, events } = vendors[kind]
      if (request.method !== 'POST' || !path.test(request.url ?? '')) return response.writeHead(404).end('{}')
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of events(counts())) {
        // Each in two pieces, since a stream may be cut anywhere.
        const text = lineOf(event)
        response.write(text.slice(0, text.length / 2))
        await new Promise<void>((resolve) => response.write(text.slice(text.length / 2), () => resolve()))
      }
      return response.end()
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}

type VendorEvent = { readonly type?: string } & Readonly<Record<string, unknown>>

/** Google's events have no name. */
const lineOf = (event: VendorEvent): string =>
  `${event.type === undefined ? '' : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`

const words = ['One. ', 'Two.']

interface Vendor {
  readonly path: RegExp
  readonly events: (counts: VendorCounts) => readonly VendorEvent[]
}

/** platform.claude.com/docs/en/api/messages-streaming: the prompt is counted at the start, without its cached part. */
const anthropic: Vendor = {
  path: /^\/v1\/messages$/,
  events({ prompt, cached, written }) {
    const input_tokens = prompt - (cached ?? 0)
    const said = cached === null ? {} : { cache_read_input_tokens: cached, cache_creation_input_tokens: 0 }
    const usage = { input_tokens, ...said, output_tokens: 1 }
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content: [], usage }
    return [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'ping' },
      ...words.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: written },
      },
      { type: 'message_stop' },
    ]
  },
}

/** ai.google.dev/api/generate-content: counts with every event, growing; the cached part only if there is one. */
const google: Vendor = {
  path: /^\/v1\/models\/[\w.-]+:streamGenerateContent\?alt=sse$/,
  events: ({ prompt, cached, written }) =>
    words.map((text, at) => {
      const isLast = at === words.length - 1
      const candidatesTokenCount = isLast ? written : 1
      return {
        candidates: [
          { content: { role: 'model', parts: [{ text }] }, index: 0, ...(isLast && { finishReason: 'STOP' }) },
        ],
        usageMetadata: {
          promptTokenCount: prompt,
          ...(cached !== null && { cachedContentTokenCount: cached }),
          candidatesTokenCount,
          totalTokenCount: prompt + candidatesTokenCount,
        },
      }
    }),
}

/** platform.openai.com/docs/api-reference/responses-streaming: all counts at the end. */
const openai: Vendor = {
  path: /^\/v1\/responses$/,
  events({ prompt, cached, written }) {
    const details = cached === null ? {} : { input_tokens_details: { cached_tokens: cached } }
    const usage = { input_tokens: prompt, ...details, output_tokens: written }
    const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
    const item = { id: 'msg_1', type: 'message', role: 'assistant' }
    return [
      { type: 'response.created', response: { id: 'r', created_at: 0, model: 'gpt' } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
      ...words.map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
      { type: 'response.output_item.done', output_index: 0, item: { ...item, content: [] } },
      { type: 'response.completed', response: { usage } },
    ]
  },
}

/** Those whose counts are tested. */
const vendors = { anthropic, google, openai } satisfies Partial<Record<VendorKind, Vendor>>

export type ServedVendor = keyof typeof vendors

export const servedVendors = Object.keys(vendors) as readonly ServedVendor[]
