import type { ServerResponse } from 'node:http'
import { writeAnswer, writeHead } from '@/lib/server/serving/web-request.server'
import { logProblem } from '@/lib/server/wiring/log/log.server'
import type { ChatService } from '@/lib/server/chats/chat-service'
import { afterOf, param, withOwner, endWithSession } from './with-owner'

export const ndjsonHeaders = {
  'content-type': 'application/x-ndjson; charset=utf-8',
  // No intermediary may cache, compress or buffer it, because tokens should arrive one by one.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const

/** Intermediaries treat a connection without data as dead. */
export const KEEP_ALIVE_MS = 10_000

const encoder = new TextEncoder()
export const blank: Uint8Array = encoder.encode('\n')

/** Lists sent to several readers are serialized once. */
const written = new WeakMap<readonly unknown[], Uint8Array>()

/** One line each, as one chunk. */
export function linesOf(values: readonly unknown[]): Uint8Array {
  let bytes = written.get(values)
  if (!bytes) {
    let lines = ''
    for (const value of values) lines += `${JSON.stringify(value)}\n`
    bytes = encoder.encode(lines)
    written.set(values, bytes)
  }
  return bytes
}

/**
 * One JSON object per line; each list is one chunk as it arrives. Sends a blank line when nothing arrived for
 * `keepAliveMs`, and one immediately so that the headers are sent. Nothing is taken from the source while the reader is
 * slow. When the reader disconnects, `gone` is aborted and the source is closed.
 */
export function ndjsonOf(
  source: AsyncGenerator<readonly unknown[], void, undefined>,
  options: { readonly gone: AbortController; readonly keepAliveMs: number; readonly onClose?: () => void },
): ReadableStream<Uint8Array> {
  const { gone, keepAliveMs, onClose } = options
  let silence: ReturnType<typeof setTimeout> | undefined
  const close = () => {
    clearTimeout(silence)
    onClose?.()
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(blank)
      silence = setTimeout(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(blank)
        silence?.refresh()
      }, keepAliveMs)
    },
    async pull(controller) {
      try {
        const step = await source.next()
        if (step.done) {
          close()
          return controller.close()
        }
        controller.enqueue(linesOf(step.value))
        silence?.refresh()
      } catch (error) {
        close()
        throw error
      }
    },
    async cancel() {
      gone.abort()
      close()
      await source.return()
    },
  })
}

/** A run's events as a direct Node response: each list is one write, without any intermediate stream. */
export async function answerEvents(request: Request, id: string, response: ServerResponse): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  if (response.destroyed) gone.abort()
  const { head, lines } = await openEvents(request, { params: Promise.resolve({ id }) }, gone)
  if (!lines) return writeAnswer(response, head)
  writeHead(response, head)
  await writeLines(response, lines, KEEP_ALIVE_MS)
}

/**
 * One JSON object per line; a blank line when nothing arrived for `keepAliveMs`, and one immediately so that the
 * headers are sent. Nothing is taken from the source while the reader is slow. A failing source aborts the connection,
 * because the response is incomplete.
 */
export async function writeLines(
  response: ServerResponse,
  source: AsyncGenerator<readonly unknown[], void, undefined>,
  keepAliveMs: number,
): Promise<void> {
  const write = (bytes: Uint8Array) => response.write(bytes)
  write(blank)
  const silence = setTimeout(() => {
    if (!response.writableNeedDrain) write(blank)
    silence.refresh()
  }, keepAliveMs)
  try {
    for await (const some of source) {
      const hasRoom = write(linesOf(some))
      silence.refresh()
      if (!hasRoom) await promptBudgetIn(response)
    }
    response.end()
  } catch (error) {
    logProblem('a request failed', error)
    response.destroy()
  } finally {
    clearTimeout(silence)
  }
}

/** Resolves when the reader has received what was written, or has disconnected. */
const promptBudgetIn = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    if (response.destroyed) return resolve()
    response.on('drain', done).on('close', done)
  })

type RunLines = Awaited<ReturnType<ChatService['watch']>>

interface OpenedEvents {
  /** Status and headers; a refusal is the whole response. */
  readonly head: Response
  readonly lines: RunLines | null
  /** Call it when the response is over. */
  readonly close: () => void
}

/** The events of a run for anyone who may read them, until `gone`. The caller sends the head unchanged. */
export async function openEvents(
  request: Request,
  context: { readonly params: Promise<unknown> },
  gone: AbortController,
): Promise<OpenedEvents> {
  let lines: RunLines | null = null
  let close = () => {}
  const open = withOwner({}, async (asked) => {
    const { owner, service, visitor, params, url } = asked
    const run = [owner, param(params, 'id'), afterOf(url), gone.signal, visitor] as const
    lines = await (url.searchParams.has('places') ? service.watch(...run) : service.events(...run))
    close = endWithSession(asked, gone)
    return new Response(null, { headers: ndjsonHeaders })
  })
  const head = await open(request, context)
  return { head, lines, close }
}
