import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { obeyingReply } from './obeying-model'
import type { ReplyFixture, ToolCallDelta } from './reply-fixture'

export interface ModelServer {
  /** `http://127.0.0.1:PORT/v1`, as in the configuration. */
  readonly url: string
  /** Bodies of `/chat/completions`, oldest first. */
  readonly requests: readonly ChatRequest[]
  close(): Promise<void>
}

/** A model's replies as written by a test: to the chat in which the user wrote `script:NAME`, in order. */
type Scripts = Map<string, readonly string[]>

export interface ChatRequest {
  readonly model: string
  readonly messages: readonly SentMessage[]
  /** Only if the request contains schemas. */
  readonly tools?: readonly unknown[]
  readonly authorization: string | null
}

interface SentMessage {
  readonly role: string
  readonly content: string
  /** Addresses of pictures, as `data:image/png;base64,…`. */
  readonly pictures?: readonly string[]
  readonly tool_calls?: readonly unknown[]
  readonly tool_call_id?: string
}

const folder = path.join(import.meta.dirname, '../fixtures/replies')

/** All recorded replies, by file name. */
export const loadReplies = (): readonly ReplyFixture[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as ReplyFixture)

/** A server for the OpenAI chat API that replays recorded replies. `port` 0 takes any free one. */
export async function startModelServer({ port = 0 } = {}): Promise<ModelServer> {
  const replies = new Map(loadReplies().map((reply) => [reply.name, reply]))
  const requests: ChatRequest[] = []
  const scripts: Scripts = new Map()

  // No connection is closed while idle: a test's request could be on its way to it.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    answer(request, response, { replies, requests, scripts }).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: String(error) } }))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  const boundPort = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://127.0.0.1:${boundPort}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Played {
  readonly replies: ReadonlyMap<string, ReplyFixture>
  readonly requests: ChatRequest[]
  readonly scripts: Scripts
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { replies, requests, scripts }: Played,
): Promise<void> {
  const script = /^\/scripts\/([a-z0-9-]+)$/.exec(request.url ?? '')?.[1]
  if (script !== undefined && request.method === 'PUT') {
    scripts.set(script, JSON.parse(await readText(request)) as string[])
    response.writeHead(204).end()
    return
  }
  if (script !== undefined) {
    sendJson(
      response,
      200,
      requests.filter((chat) => scriptName(chat) === script),
    )
    return
  }
  if (request.method === 'GET' && request.url === '/v1/models') {
    sendJson(response, 200, { object: 'list', data: [{ id: 'replay', object: 'model' }] })
    return
  }
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
    sendJson(response, 404, { error: { message: `no route ${request.method ?? ''} ${request.url ?? ''}` } })
    return
  }
  const chat = await readChat(request)
  requests.push(chat)
  const obeyed = obeyingReply(chat.messages)
  await play(scripted(chat, scripts) ?? (obeyed === null ? chooseReply(chat, replies) : plain(obeyed)), response)
}

const scriptMark = /script:([a-z0-9-]+)/

const scriptName = ({ messages }: ChatRequest): string | undefined =>
  messages.flatMap(({ role, content }) => (role === 'user' ? [scriptMark.exec(content)?.[1] ?? []] : [])).flat()[0]

/** The next reply of the chat's script: its index is the number of replies since the script was first named. */
function scripted(chat: ChatRequest, scripts: Scripts): ReplyFixture | null {
  const name = scriptName(chat)
  if (name === undefined) return null
  const from = chat.messages.findIndex(({ role, content }) => role === 'user' && scriptMark.test(content))
  const turn = chat.messages.slice(from).filter(({ role }) => role === 'assistant').length
  const line = scripts.get(name)?.[turn] ?? 'That is all.'
  // A reply with a call outside the text, as `nativeCall` writes it.
  if (!line.startsWith('{"toolCalls":')) return plain(line)
  return { ...plain('I look.'), ...(JSON.parse(line) as Pick<ReplyFixture, 'toolCalls'>), finish: 'tool_calls' }
}

/**
 * The fixture that the user's last message names. If the last message returns results, the previously named fixture
 * plays its second turn.
 */
function chooseReply(chat: ChatRequest, replies: ReadonlyMap<string, ReplyFixture>): ReplyFixture {
  const said = chat.messages.filter(({ role }) => role === 'user').map(({ content }) => content)
  const last = said.at(-1) ?? ''
  const named = fixtureName(last)
  if (named !== null && chat.messages.at(-1)?.role !== 'tool')
    return replies.get(named) ?? plain(`There is no fixture called ${named}.`)
  const before = said.map(fixtureName).findLast((name) => name !== null)
  const isAnswer = chat.messages.at(-1)?.role === 'tool' || (named === null && isResults(last))
  if (!isAnswer) return plain(`You said: ${last.slice(0, 200)}`)
  const first = before === undefined || before === null ? undefined : replies.get(before)
  if (first?.afterResults === undefined) return plain(`Thank you, I read ${last.length} characters of results.`)
  return { ...plain(''), pieceBytes: first.pieceBytes ?? 0, chunks: first.afterResults }
}

// The last one counts: unanswered questions are joined before the newest.
const fixtureName = (text: string): string | null => [...text.matchAll(/fixture:([a-z0-9-]+)/g)].at(-1)?.[1] ?? null

const isResults = (text: string): boolean =>
  ['tool_call_result', '<tool_result', 'VCP调用结果', '<tool_action_result', '"action":"tool_result"'].some((mark) =>
    text.includes(mark),
  )

const plain = (text: string): ReplyFixture => ({ name: '', provenance: '', chunks: [text], finish: 'stop' })

async function play(reply: ReplyFixture, response: ServerResponse): Promise<void> {
  const { failure } = reply
  if (failure?.kind === 'status') {
    if (failure.retryAfterSeconds !== undefined) response.setHeader('retry-after', String(failure.retryAfterSeconds))
    sendJson(response, failure.status, { error: { message: failure.message, type: 'error' } })
    return
  }
  if (failure?.kind === 'stall' && reply.chunks.length === 0) return
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
  response.flushHeaders()

  const events = [
    event({ delta: { role: 'assistant', content: '' } }),
    ...(reply.reasoning ?? []).map((text) => event({ delta: { reasoning_content: text } })),
    ...reply.chunks.map((text) => event({ delta: { content: text } })),
    ...(reply.toolCalls ?? []).map((call) => event({ delta: { tool_calls: [toolCallDelta(call)] } })),
  ]
  if (failure?.kind === 'invalid-sse')
    events.push('data: {"choices": [oops\n\n', 'data: <html>502 Bad Gateway</html>\n\n')
  if (failure?.kind === 'error-event') {
    events.push(`data: ${JSON.stringify({ error: { message: failure.message, code: failure.code ?? 500 } })}\n\n`)
  }
  if (failure === undefined) {
    events.push(event({ delta: {}, finish_reason: reply.finish }), usageEvent(reply), 'data: [DONE]\n\n')
  }
  await sendPieces(response, events, reply.pieceBytes ?? 0)
  if (failure?.kind === 'stall') return
  if (failure?.kind === 'drop') response.destroy()
  else response.end()
}

async function sendPieces(response: ServerResponse, events: readonly string[], pieceBytes: number): Promise<void> {
  if (pieceBytes === 0) {
    for (const text of events) await send(response, Buffer.from(text))
    return
  }
  const bytes = Buffer.from(events.join(''))
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    await send(response, bytes.subarray(start, start + pieceBytes))
  }
}

/** Each piece in its own write; yielding to the event loop keeps the kernel from joining all of them. */
const send = (response: ServerResponse, piece: Buffer): Promise<void> =>
  new Promise((resolve) => {
    if (response.destroyed) resolve()
    else response.write(piece, () => setImmediate(resolve))
  })

const toolCallDelta = ({ index, id, name, arguments: args }: ToolCallDelta) => ({
  index,
  ...(id === undefined ? {} : { id }),
  type: 'function',
  function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
})

const event = (choice: { delta: Record<string, unknown>; finish_reason?: string }): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-replay', object: 'chat.completion.chunk', created: 0, model: 'replay', choices: [{ index: 0, finish_reason: null, ...choice }] })}\n\n`

const usageEvent = (reply: ReplyFixture): string => {
  const written = reply.chunks.join('').length + JSON.stringify(reply.toolCalls ?? '').length
  const completion = Math.ceil(written / 4)
  const usage = { prompt_tokens: 100, completion_tokens: completion, total_tokens: 100 + completion }
  return `data: ${JSON.stringify({ id: 'chatcmpl-replay', object: 'chat.completion.chunk', created: 0, model: 'replay', choices: [], usage })}\n\n`
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

interface Part {
  readonly type: string
  readonly text?: string
  readonly image_url?: { readonly url: string }
}

async function readChat(request: IncomingMessage): Promise<ChatRequest> {
  const body = JSON.parse(await readText(request)) as {
    model: string
    messages: (Omit<SentMessage, 'content'> & { content: string | Part[] | null })[]
    tools?: unknown[]
  }
  return {
    model: body.model,
    messages: body.messages.map(({ content, ...message }) => ({
      ...message,
      content: typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n'),
      ...(Array.isArray(content) && { pictures: content.flatMap((part) => part.image_url?.url ?? []) }),
    })),
    ...(body.tools === undefined ? {} : { tools: body.tools }),
    authorization: request.headers.authorization ?? null,
  }
}
