import { AppError, type AppErrorCode, type Refusal } from '@/lib/base/app-error'
import type { ApiError } from '@/lib/shared/conversation/wire/api-types'
import type { MessageImage } from '@/lib/shared/conversation/conversation'
import { buildHeader } from '@/lib/shared/conversation/wire/addresses'
import { asStoreError } from '@/lib/server/store/ports/store-error'
import { currentRequest } from '@/lib/server/wiring/log/log.server'
import { serverObserver } from '@/lib/server/wiring/observe/observers.server'
import { serverBuild } from '@/lib/server/wiring/process/build.server'
import { makeRefusal } from '@/lib/i18n/t'

/** Bytes of a chunk that joins small pieces; a larger piece is a chunk of its own. */
const CHUNK_CHARS = 64 * 1024

/** A text that is generated while it is read: the next pieces are requested when there is room for them. */
function textStream(pieces: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let text = ''
        while (text.length < CHUNK_CHARS) {
          const step = await pieces.next()
          if (step.done === true) {
            if (text !== '') controller.enqueue(encoder.encode(text))
            return controller.close()
          }
          text += step.value
        }
        controller.enqueue(encoder.encode(text))
      },
      async cancel() {
        await pieces.return()
      },
    },
    { highWaterMark: 0 },
  )
}

/** The only mapping from our errors to HTTP. */
const statusOf: Record<AppErrorCode, number> = {
  'bad-request': 400,
  'signed-out': 401,
  forbidden: 403,
  'unknown-model': 400,
  'unknown-strategy': 400,
  'not-found': 404,
  conflict: 409,
  'run-in-progress': 409,
  'call-not-open': 409,
  'too-large': 413,
  'rate-limited': 429,
  'over-budget': 429,
  'storage-full': 507,
  internal: 500,
  unavailable: 503,
}

/** A chat's content is for its owner only, so no intermediary may cache it. */
const NO_STORE = 'no-store'

/** When to retry after a temporary refusal. */
const RETRY_AFTER_SECONDS = '2'

/** `status` is needed only if it differs from the code's own (a request from another site: 403). */
export function errorResponse(
  code: string,
  { reason, values, message }: Refusal,
  status: number,
  headers?: Readonly<Record<string, string>>,
): Response {
  serverObserver().refused(reason)
  const body: ApiError = { error: { code, reason, values, message } }
  const later = status === 503 || code === 'rate-limited' ? { 'retry-after': RETRY_AFTER_SECONDS } : {}
  return Response.json(body, { status, headers: { 'cache-control': NO_STORE, ...later, ...headers } })
}

export const json = (value: unknown): Response => Response.json(value, { headers: { 'cache-control': NO_STORE } })

/** Names the server's build, because a page of another build can't load further parts. */
export function withBuild(response: Response): Response {
  if (serverBuild !== '') response.headers.set(buildHeader, serverBuild)
  return response
}

/** A file to save, never to show: its content comes from models and tools. Written as fast as it is read. */
export function jsonAttachment(pieces: AsyncGenerator<string, void, undefined>, name: string): Response {
  // A plain name for old clients, and the full one encoded; neither can end the header or name a folder.
  const plain = name.replaceAll(/[^A-Za-z0-9._ -]/g, '_')
  const whole = encodeURIComponent(name.toWellFormed().replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, '_')).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return new Response(textStream(pieces), {
    headers: {
      'cache-control': NO_STORE,
      'content-type': 'application/json',
      'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${whole}`,
      'x-content-type-options': 'nosniff',
    },
  })
}

/**
 * A picture for the page. Any other content at this address is neither sniffed nor run. It never changes, so the
 * owner's browser may cache it.
 */
export const imageResponse = ({ mediaType, data }: Pick<MessageImage, 'mediaType' | 'data'>): Response =>
  new Response(Buffer.from(data, 'base64'), {
    headers: {
      'cache-control': 'private, max-age=31536000, immutable',
      'content-type': mediaType,
      vary: 'Cookie',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': 'inline',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
  })

export const noContent = (): Response => new Response(null, { status: 204, headers: { 'cache-control': NO_STORE } })

/**
 * Any thrown value as a response: our errors with their own message, the storage's with a general one, all others
 * without internals.
 */
export function respondToError(error: unknown, log: (error: unknown) => void): Response {
  const known = error instanceof AppError ? error : asStoreError(error)
  if (!known) {
    log(error)
    return errorResponse('internal', makeRefusal('server.broken', { request: currentRequest()?.id ?? null }), 500)
  }
  if (known.code === 'internal' || known.code === 'unavailable') log(error)
  const status = statusOf[known.code]
  if (known.headId === undefined) {
    const { seconds } = known.values
    const wait = known.retryAfterSeconds ?? (status === 429 && typeof seconds === 'number' ? seconds : undefined)
    return errorResponse(known.code, known, status, wait === undefined ? {} : { 'retry-after': String(wait) })
  }
  const { code, reason, values, message, headId } = known
  serverObserver().refused(reason)
  const body: ApiError = { error: { code, reason, values, message, headId } }
  return Response.json(body, { status, headers: { 'cache-control': NO_STORE } })
}
