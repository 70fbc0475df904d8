import type { z } from 'zod'
import type { IncomingBody } from '@/lib/server/http/body-intake'
import { wrongForm } from '@/lib/i18n/wrong-form'
import { makeError } from '@/lib/i18n/t'
import { bodyIntake } from '@/lib/server/wiring/requests/body-intake.server'

/**
 * The request's JSON, checked. Throws AppError `bad-request`, `too-large` or `unavailable` with a sentence. `admit` is called with the
 * size when the whole body is there and before it is parsed, and may refuse or wait: only then may a place be taken that others
 * wait for.
 */
export async function readBody<T>(
  request: Request,
  schema: z.ZodType<T>,
  maxBytes: number,
  admit: (bytes: number) => Promise<void> = () => Promise.resolve(),
): Promise<T> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw makeError('bad-request', 'server.not-json')
  const bytes = await readBytes(request, maxBytes, ({ byteLength }) => admit(byteLength))
  const text = decode(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw makeError('bad-request', 'server.bad-json')
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.').slice(0, 200) ?? ''
  throw makeError('bad-request', 'server.wrong-form', { where, ...wrongForm(issue) })
}

/** Requests of which the rest was not waited for. */
const leftUnread = new WeakSet<Request>()

/** Such a body must not keep the connection: the rest of it may never come. */
export function closeUnread(request: Request, response: Response): Response {
  if (leftUnread.has(request)) response.headers.set('connection', 'close')
  return response
}

/**
 * The body, counted while it arrives: the length that the client claims, or leaves out, proves nothing. A body that comes too slowly is
 * refused. What `whole` waits for still counts as memory that bodies hold.
 */
export async function readBytes(
  request: Request,
  maxBytes: number,
  whole: (bytes: Uint8Array) => Promise<void> = () => Promise.resolve(),
): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const body = bodyIntake().begin()
  try {
    leftUnread.add(request)
    const bytes = request.body ? await readStream(request.body, maxBytes, body) : new Uint8Array()
    leftUnread.delete(request)
    body.arrived()
    await whole(bytes)
    return bytes
  } finally {
    body.release()
  }
}

const tooLarge = (maxBytes: number) => makeError('too-large', 'server.too-large', { maxBytes })

async function readStream(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
  body: IncomingBody,
): Promise<Uint8Array> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  const refused = body.refused.then((why) => {
    throw why === 'too-slow' ? makeError('bad-request', 'server.too-slow') : makeError('unavailable', 'server.busy')
  })
  // Also rejects when nobody waits for it.
  refused.catch(() => {})
  for (;;) {
    const read = reader.read().catch((cause: unknown) => {
      throw makeError('bad-request', 'server.broke-off', {}, { cause })
    })
    read.catch(() => {})
    const step = await Promise.race([read, refused])
    if (step.done) break
    size += step.value.byteLength
    if (size > maxBytes) {
      void reader.cancel().catch(() => {})
      throw tooLarge(maxBytes)
    }
    body.add(step.value.byteLength)
    chunks.push(step.value)
  }
  const all = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.byteLength
  }
  return all
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw makeError('bad-request', 'server.bad-utf8')
  }
}
