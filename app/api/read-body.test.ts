import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { AppError } from '@/lib/base/app-error'
import { closeUnread, readBody } from './with-owner'

afterEach(() => vi.useRealTimers())

function post(body: BodyInit): Request {
  const how = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' }
  return new Request('http://localhost:3000/api', how)
}
const refusalOf = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.then(
    () => null,
    (cause: unknown) => cause,
  )
  return error instanceof AppError ? error.reason : 'none'
}

it('aborts a body of one byte per second, takes no slot, and closes the connection', async () => {
  vi.useFakeTimers()
  const admit = vi.fn<() => Promise<void>>()
  const request = post(
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        controller.enqueue(new Uint8Array([32]))
      },
    }),
  )
  const refused = refusalOf(readBody(request, z.object({}), 1_000_000, admit))
  await vi.advanceTimersByTimeAsync(12_000)
  expect(await refused).toBe('server.too-slow')
  expect(admit).not.toHaveBeenCalled()
  expect(closeUnread(request, new Response()).headers.get('connection')).toBe('close')
})

it('takes a slot once the whole body has arrived, and keeps the connection', async () => {
  let sent = false
  const request = post(
    new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('{}'))
        controller.close()
        sent = true
      },
    }),
  )
  const admit = vi.fn<(bytes: number) => Promise<void>>(() => {
    expect(sent).toBe(true)
    return Promise.resolve()
  })
  expect(await readBody(request, z.object({}), 1_000, admit)).toEqual({})
  expect(admit).toHaveBeenCalledWith(2)
  expect(closeUnread(request, new Response()).headers.has('connection')).toBe(false)
})
