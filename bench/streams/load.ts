import { Agent, request as ask, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** One stream's measurements, in milliseconds; each word contains the time at which it was written. */
export interface StreamFigures {
  readonly firstMs: number
  readonly postMs: number
  readonly delaysMs: readonly number[]
}

export interface LoadFigures {
  readonly streams: readonly StreamFigures[]
  readonly errors: readonly string[]
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
const now = () => performance.timeOrigin + performance.now()

function send(url: string, cookie: string, body?: object): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, ...(body && { 'content-type': 'application/json' }) }
    const sent = ask(url, { agent, method: body ? 'POST' : 'GET', headers }, resolve)
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text += piece as string
  if ((response.statusCode ?? 500) >= 400) throw new Error(`${response.statusCode} ${text.slice(0, 200)}`)
  return text
}

/** Each owner has a few streams, as a server allows. */
export async function newOwner(base: string): Promise<string> {
  const response = await send(`${base}/api/conversations`, '', {
    id: crypto.randomUUID(),
    settings: { model: 'openai-compatible/m' },
  })
  await textOf(response)
  return cookieOf(response)
}

const cookieOf = (response: IncomingMessage): string => response.headers['set-cookie']?.[0]?.split(';')[0] ?? ''

/**
 * Reads to the end; every word must have arrived. Looks only for the times in the bytes, because the client shares the
 * machine with the server that it measures.
 */
function follow(response: IncomingMessage, words: number, since: number, postMs: number): Promise<StreamFigures> {
  const delaysMs: number[] = []
  let firstMs = Number.NaN
  let rest = ''
  response.on('data', (piece: Buffer) => {
    const at = now()
    const text = rest === '' ? piece.toString('latin1') : rest + piece.toString('latin1')
    let end = 0
    for (let from = text.indexOf('<'); from >= 0; from = text.indexOf('<', end)) {
      const to = text.indexOf('>', from)
      if (to < 0) break
      delaysMs.push(at - Number(text.slice(from + 1, to)))
      end = to + 1
    }
    const open = text.indexOf('<', end)
    rest = open < 0 ? '' : text.slice(open)
    if (Number.isNaN(firstMs) && delaysMs.length > 0) firstMs = at - since
  })
  return new Promise((resolve, reject) => {
    response.on('error', reject).on('end', () => {
      if (delaysMs.length === words) resolve({ firstMs, postMs, delaysMs })
      else reject(new Error(`${delaysMs.length} of ${words} words came`))
    })
  })
}

/** `owner`: the cookie of a known visitor; null: a new visitor, whose first text counts from their first request. */
async function throughNod(base: string, owner: string | null, words: number): Promise<StreamFigures> {
  const conversationId = crypto.randomUUID()
  const settings = { model: 'openai-compatible/m' }
  if (owner !== null) await textOf(await send(`${base}/api/conversations`, owner, { id: conversationId, settings }))
  const since = now()
  const append = { kind: 'user', id: crypto.randomUUID(), parentId: null, text: 'hi' }
  // As in the page: the first message of a chat creates the chat.
  const asked = { conversationId, append, ...(owner === null && { create: settings }) }
  const said = await send(`${base}/api/chat`, owner ?? '', asked)
  const { runId } = JSON.parse(await textOf(said)) as { runId: string }
  const cookie = owner ?? cookieOf(said)
  const postMs = now() - since
  return follow(await send(`${base}/api/runs/${runId}/events?after=0`, cookie), words, since, postMs)
}

async function directly(base: string, words: number): Promise<StreamFigures> {
  const since = now()
  return follow(await send(`${base}/chat/completions`, '', {}), words, since, 0)
}

/** `count` streams that start within `rampMs`, each read to its end. */
export async function runLoad(load: {
  readonly count: number
  readonly rampMs: number
  readonly words: number
  /** Nodes of one store, used in turns. */
  readonly bases: readonly string[]
  /** Left out: the model server is asked directly. Empty: each stream is a new visitor's. */
  readonly owners?: readonly string[]
}): Promise<LoadFigures> {
  const { count, rampMs, words, bases, owners } = load
  const streams: StreamFigures[] = []
  const errors: string[] = []
  const one = async (index: number) => {
    await wait((rampMs * index) / count)
    try {
      const base = bases[index % bases.length] ?? ''
      const owner = owners?.[index % owners.length] ?? null
      streams.push(owners === undefined ? await directly(base, words) : await throughNod(base, owner, words))
    } catch (error) {
      errors.push(String(error))
    }
  }
  await Promise.all(Array.from({ length: count }, (_, index) => one(index)))
  return { streams, errors }
}
