import type { ServerResponse } from 'node:http'
import { writeAnswer, writeHead } from '@/lib/server/serving/web-request.server'
import { logProblem } from '@/lib/server/wiring/log/log.server'
import { blank, KEEP_ALIVE_MS, linesOf, ndjsonHeaders as headers } from '../../../ndjson'
import type { ChatService } from '@/lib/server/chats/chat-service'
import { afterOf, param, withOwner, endWithSession } from '../../../with-owner'

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
    return new Response(null, { headers })
  })
  const head = await open(request, context)
  return { head, lines, close }
}
