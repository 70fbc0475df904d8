import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { networkPorts } from './dial.server'

let server: Server
let port = 0
const { signal } = new AbortController()
const dial = (address: string, tls: string | null = null, stop = signal) =>
  Promise.resolve().then(() => networkPorts.dial({ address, port, tls, signal: stop }))

beforeAll(async () => {
  // This server does not support TLS.
  server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
  ;({ port } = server.address() as AddressInfo)
})
afterAll(() => void server.close())

it('connects to an address without resolving names', async () => {
  const socket = await dial('127.0.0.1')
  socket.destroy()
  await expect(dial('localhost')).rejects.toThrow('not an address')
  await expect(dial('good.test')).rejects.toThrow('not an address')
})

it('refuses a connection without TLS if TLS is required', async () => {
  await expect(dial('127.0.0.1', 'good.test')).rejects.toThrow()
  await expect(dial('127.0.0.1', '127.0.0.1')).rejects.toThrow()
})

it('stops when it is aborted', async () => {
  const stop = new AbortController()
  stop.abort()
  await expect(dial('127.0.0.1', null, stop.signal)).rejects.toThrow()
})

it('resolves names from this machine’s hosts file only for hosts that the operator listed', async () => {
  expect(await networkPorts.resolve('localhost', true, signal)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^(127\.|::1)/)]),
  )
})
