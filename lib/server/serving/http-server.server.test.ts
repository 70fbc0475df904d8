import { once } from 'node:events'
import { Agent, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpServer, type HttpServer } from './http-server.server'

let open: HttpServer | null = null
afterEach(async () => {
  await open?.drain({ graceMs: 0 })
  open = null
})

/** A server that answers `/now` at once, and other paths when the test says so. */
async function serve() {
  const held: ServerResponse[] = []
  const arrivals: (() => void)[] = []
  const made = createHttpServer((request, response) => {
    if (request.url === '/now') response.end('done')
    else {
      if (request.url === '/stream') response.write('first')
      held.push(response)
      arrivals.shift()?.()
    }
    return Promise.resolve()
  })
  open = made
  await made.listen({ port: 0, host: '127.0.0.1' })
  const { port } = made.server.address() as AddressInfo
  const arrived = () => new Promise<void>((resolve) => arrivals.push(resolve))
  return { ...made, port, held, arrived }
}

async function get(port: number, path: string, agent: Agent): Promise<IncomingMessage> {
  const sent = ask({ port, host: '127.0.0.1', path, agent })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return response
}

const read = async (response: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

describe('a server that shuts down', () => {
  it('closes idle connections at once, although proxies keep them', async () => {
    const { drain, port } = await serve()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const response = await get(port, '/now', agent)
    expect(response.headers.connection).toBe('keep-alive')
    const { socket } = response
    await read(response)
    const gone = once(socket, 'close')
    await drain({ graceMs: 60_000 })
    await gone
    expect(socket.destroyed).toBe(true)
  })

  it('finishes its responses, announces the close where possible, and ends with the last response', async () => {
    const { drain, port, held, arrived, server } = await serve()
    const agent = new Agent({ keepAlive: true })
    const isWaiting = arrived()
    const waiting = get(port, '/wait', agent)
    await isWaiting
    const stream = await get(port, '/stream', agent)
    expect(stream.headers.connection).toBe('keep-alive')

    let isGone = false
    const drained = drain({ graceMs: 60_000 }).then(() => (isGone = true))
    held[0]?.end('late')
    const late = await waiting
    expect(late.headers.connection).toBe('close')
    expect(await read(late)).toBe('late')
    expect([server.listening, isGone]).toEqual([false, false])

    // Its header promised keep-alive, but the connection is closed anyway.
    held[1]?.end(' last')
    expect(await read(stream)).toBe('first last')
    await drained
  })

  it('closes a kept connection with the next response on it', async () => {
    const { drain, port, held, arrived } = await serve()
    const socket = connect(port, '127.0.0.1')
    const isWaiting = arrived()
    socket.write('GET /wait HTTP/1.1\r\nHost: x\r\n\r\nGET /now HTTP/1.1\r\nHost: x\r\n\r\n')
    await isWaiting
    const drained = drain({ graceMs: 60_000 })
    held[0]?.end('late')
    const chunks: Buffer[] = []
    for await (const chunk of socket) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString()).toMatch(/Connection: close/i)
    await drained
  })

  it('accepts requests for a while, each on a connection that closes afterwards, and then none', async () => {
    const { drain, port, server, closed } = await serve()
    let count = 0
    server.on('connection', () => (count += 1))
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const first = await get(port, '/now', agent)
    const { socket } = first
    expect(first.headers.connection).toBe('keep-alive')
    await read(first)
    const { promise: openUntil, resolve: close } = Promise.withResolvers<void>()
    let isClosed = false
    void closed.then(() => (isClosed = true))
    const drained = drain({ openUntil, graceMs: 60_000 })
    // On a connection that a proxy has kept, and on new ones.
    for (const how of [agent, new Agent({ keepAlive: true }), new Agent({ keepAlive: true })]) {
      const response = await get(port, '/now', how)
      expect(response.headers.connection).toBe('close')
      expect(await read(response)).toBe('done')
    }
    expect([socket.destroyed, server.listening, isClosed]).toEqual([true, true, false])
    expect(count).toBe(3)
    close()
    await drained
    expect([server.listening, isClosed]).toEqual([false, true])
    await expect(get(port, '/now', new Agent())).rejects.toThrow('ECONNREFUSED')
  })

  it('accepts a request on a connection whose response had started before, as its header promised', async () => {
    const { drain, port, held, arrived } = await serve()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const isWaiting = arrived()
    const asked = get(port, '/wait', agent)
    await isWaiting
    held[0]?.write('first')
    const begun = await asked
    const { socket } = begun
    expect(begun.headers.connection).toBe('keep-alive')
    const { promise: openUntil, resolve: close } = Promise.withResolvers<void>()
    const drained = drain({ openUntil, graceMs: 60_000 })
    held[0]?.end(' last')
    expect(await read(begun)).toBe('first last')
    // A proxy may keep it for any time before using it again.
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(socket.destroyed).toBe(false)
    const next = await get(port, '/now', agent)
    expect(next.headers.connection).toBe('close')
    expect([next.socket === socket, await read(next)]).toEqual([true, 'done'])
    close()
    await drained
  })

  it('does not wait for a connection that sends nothing', async () => {
    const { drain, port, server } = await serve()
    const isTaken = once(server, 'connection')
    const socket = connect(port, '127.0.0.1')
    await isTaken
    const gone = once(socket, 'close')
    await drain({ graceMs: 60_000 })
    await gone
    expect([socket.bytesRead, server.listening]).toEqual([0, false])
  })

  it('cuts off a client that never finishes', async () => {
    const { drain, port } = await serve()
    const stream = await get(port, '/stream', new Agent())
    const cut = read(stream).catch((error: unknown) => String(error))
    await drain({ graceMs: 0 })
    expect(await cut).toContain('aborted')
  })
})

it('limits slow bodies, and keeps connections longer than proxies do', async () => {
  const { server } = await serve()
  expect(server.requestTimeout).toBeGreaterThan(60_000)
  expect(server.headersTimeout).toBeLessThan(server.requestTimeout)
  expect(server.keepAliveTimeout).toBeGreaterThan(120_000)
  expect(server.timeout).toBe(0)
})
