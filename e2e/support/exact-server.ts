import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/*
 * An OpenAI-compatible server whose models accept a grammar like real servers: follow it, half follow it, ignore it, or
 * refuse it with real servers' errors. Each reply contains `bound` if it was constrained by a grammar, otherwise
 * `free`.
 */

/** How a model reacts to a grammar. */
export type Manner =
  | 'honours'
  | 'ignores'
  /** Writes the word of a short grammar, and then more. */
  | 'overruns'
  /** Short grammars work; a long one that it can't parse is silently ignored, as in some versions of llama.cpp. */
  | 'fails-open'
  /** Only an error with this status. */
  | { readonly status: number; readonly body: string; readonly grammarOf?: 'replies' }
  /** Starts, and then sends an error in the stream. */
  | { readonly midway: string }
  /** Honors it, and sends invalid bytes in its first words. */
  | 'garbles'
  /** Honors it, and has no room for the second half. */
  | 'runs-out'

export interface ExactModel {
  readonly manner: Manner
  /** The request field that it reads. */
  readonly field: 'grammar' | 'structured_outputs' | 'ebnf' | 'response_format' | 'responseConstraint'
  readonly bound: string
  readonly free: string
  /** Sent with each reply's usage; left out: no cache figures. */
  readonly cached?: { readonly as: 'cached_tokens' | 'timings'; readonly tokens: number }
}

export interface ExactServer {
  /** `http://127.0.0.1:PORT/v1`. */
  readonly url: string
  /** Bodies of `/chat/completions`, oldest first. */
  readonly bodies: readonly ExactBody[]
  close(): Promise<void>
}

export type ExactBody = Readonly<Record<string, unknown>> & {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

export async function startExactServer(options: {
  readonly models: Readonly<Record<string, ExactModel>>
  /** As listed. */
  readonly ownedBy?: string
  readonly port?: number
}): Promise<ExactServer> {
  const bodies: ExactBody[] = []
  const server = createServer((request, response) => {
    answer(request, response, options, bodies).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: String(error) } }))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/v1`,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { models, ownedBy }: Parameters<typeof startExactServer>[0],
  bodies: ExactBody[],
): Promise<void> {
  if (request.method === 'GET') {
    const data = Object.keys(models).map((id) => ({ id, object: 'model', ...(ownedBy && { owned_by: ownedBy }) }))
    return sendJson(response, 200, { object: 'list', data })
  }
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as ExactBody
  bodies.push(body)
  const model = models[body.model]
  if (!model) return sendJson(response, 404, { error: { message: `model '${body.model}' not found` } })
  play(model, body, response)
}

/** The decoded text of invalid bytes. */
export const lost = '\uFFFD('
/** The invalid bytes: the start of a character without its rest. */
const bytesOfLost = [0xe2, 0x28]

/** As a garbling model writes it: something is lost after its first word. */
export const garbled = (text: string): string => text.replace(' ', ` ${lost} `)

/** A model's reaction to one request: a server sends it over HTTP; the fake of a browser model uses it directly. */
export interface Played {
  /** Only an error. */
  readonly refusal: { readonly status: number; readonly body: string } | null
  /** `lost` represents the invalid bytes. */
  readonly text: string
  /** An error after the text. */
  readonly midway: string | null
  /** It is cut off. */
  readonly runsOut: boolean
}

export function playedBy(
  { manner, field, bound, free }: Omit<ExactModel, 'cached'>,
  body: Readonly<Record<string, unknown>>,
): Played {
  const ask = asked(body, field)
  const isLanguage = ask === 'language'
  const error = typeof manner === 'object' && ask !== 'nothing' ? manner : null
  const isRefused = error !== null && 'status' in error && (isLanguage || error.grammarOf !== 'replies')
  const runsOut = manner === 'runs-out' && isLanguage
  const whole = textOf(manner, ask, { bound, free })
  const half = whole.slice(0, Math.ceil(whole.length / 2))
  return {
    refusal: isRefused ? error : null,
    text: runsOut ? half : manner === 'garbles' && isLanguage ? garbled(whole) : whole,
    midway: error !== null && 'midway' in error && isLanguage ? error.midway : null,
    runsOut,
  }
}

/** What a request demands: nothing, one word, or a whole language. */
function asked(
  body: Readonly<Record<string, unknown>>,
  field: ExactModel['field'],
): 'nothing' | { readonly word: string } | 'language' {
  if (body[field] === undefined) return 'nothing'
  const text = JSON.stringify(body[field])
  const word = /^(?:\{"grammar":)?"root ::= \\"([^"\\]+)\\""\}?$/.exec(text)?.[1]
  if (word !== undefined) return { word }
  const only = /"enum":\["([^"]+)"\]\}\},"required":\["word"\]/.exec(text)?.[1]
  return only === undefined ? 'language' : { word: JSON.stringify({ word: only }) }
}

function textOf(
  manner: Manner,
  ask: ReturnType<typeof asked>,
  { bound, free }: Pick<ExactModel, 'bound' | 'free'>,
): string {
  if (ask === 'nothing' || manner === 'ignores') return free
  if (ask === 'language') return manner === 'fails-open' || manner === 'overruns' ? free : bound
  return manner === 'overruns' ? `${ask.word}, one, two, three` : ask.word
}

function play(model: ExactModel, body: ExactBody, response: ServerResponse): void {
  const { refusal, text, midway, runsOut } = playedBy(model, body)
  if (refusal) {
    response.writeHead(refusal.status, { 'content-type': 'application/json' }).end(refusal.body)
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  for (const [at, words] of text.split(lost).entries()) {
    if (at > 0) response.write(lostEvent())
    for (const piece of words.match(/[^]{1,7}/g) ?? []) response.write(event({ delta: { content: piece } }))
  }
  if (midway !== null) {
    response.end(`data: ${midway}\n\n`)
    return
  }
  response.write(event({ delta: {}, finish_reason: runsOut ? 'length' : 'stop' }))
  response.end(`${usageEvent(model.cached)}data: [DONE]\n\n`)
}

const event = (choice: Readonly<Record<string, unknown>>): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-exact', object: 'chat.completion.chunk', created: 0, model: 'exact', choices: [{ index: 0, finish_reason: null, ...choice }] })}\n\n`

function lostEvent(): Buffer {
  const [before = '', after = ''] = event({ delta: { content: lost } }).split(lost)
  return Buffer.concat([Buffer.from(before), Buffer.from(bytesOfLost), Buffer.from(after)])
}

function usageEvent(cached: ExactModel['cached']): string {
  const usage = {
    prompt_tokens: 1_000,
    completion_tokens: 20,
    total_tokens: 1_020,
    ...(cached?.as === 'cached_tokens' && { prompt_tokens_details: { cached_tokens: cached.tokens } }),
  }
  const timings = cached?.as === 'timings' && { timings: { cache_n: cached.tokens, prompt_n: 1_000 - cached.tokens } }
  const chunk = { id: 'chatcmpl-exact', object: 'chat.completion.chunk', created: 0, model: 'exact', choices: [] }
  return `data: ${JSON.stringify({ ...chunk, usage, ...timings })}\n\n`
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
