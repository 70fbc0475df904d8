import type { z } from 'zod'
import { serverError } from '@/lib/words/server'
import { wrongForm } from '@/lib/words/wrong-form'

/**
 * The request's JSON, checked. Throws AppError `bad-request` or `too-large` with a sentence. `admit` hears how large it is before
 * anything comes of it, and may refuse.
 */
export async function readBody<T>(
  request: Request,
  schema: z.ZodType<T>,
  maxBytes: number,
  admit: (bytes: number) => Promise<void> = () => Promise.resolve(),
): Promise<T> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw serverError('bad-request', 'server.not-json')
  const bytes = await readBytes(request, maxBytes)
  await admit(bytes.byteLength)
  const text = decode(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw serverError('bad-request', 'server.bad-json')
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.').slice(0, 200) ?? ''
  throw serverError('bad-request', 'server.wrong-form', { where, ...wrongForm(issue) })
}

/** Counted while it arrives: a length that the client claims, or leaves out, proves nothing. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () => serverError('too-large', 'server.too-large', { maxBytes })
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  if (!request.body) return new Uint8Array()
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const step = await reader.read().catch((cause: unknown) => {
      throw serverError('bad-request', 'server.broke-off', {}, { cause })
    })
    if (step.done) break
    size += step.value.byteLength
    if (size > maxBytes) {
      void reader.cancel().catch(() => {})
      throw tooLarge()
    }
    chunks.push(step.value)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw serverError('bad-request', 'server.bad-utf8')
  }
}
