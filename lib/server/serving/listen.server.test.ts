import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { listen } from './http-server.server'

const host = '127.0.0.1'
let open: readonly Server[] = []
afterEach(async () => {
  const closed = open.map((server) => once(server, 'close'))
  for (const server of open) server.close()
  await Promise.all(closed)
  open = []
})

async function serve(port = 0): Promise<Server> {
  const server = createServer((socket) => socket.destroy())
  open = [...open, ...(await listen(server, { port, host }))]
  return server
}
const portOf = (server: Server) => (server.address() as AddressInfo).port

it.skipIf(process.platform !== 'linux')('accepts several connections in one turn of the event loop', async () => {
  const server = await serve()
  const turns: number[] = []
  let turn = 0
  let isOver = false
  const count = () => {
    turn += 1
    if (!isOver) setImmediate(count)
  }
  count()
  const { promise: all, resolve } = Promise.withResolvers<void>()
  server.on('connection', () => {
    turns.push(turn)
    if (turns.length === 40) resolve()
  })
  for (let n = 0; n < 40; n += 1) connect(portOf(server), host)
  await all
  isOver = true
  expect(new Set(turns).size).toBeLessThan(40)
})

it('rejects if another server uses the port', async () => {
  const other = createServer()
  other.listen(0, host)
  await once(other, 'listening')
  open = [other]
  await expect(serve(portOf(other))).rejects.toThrow('EADDRINUSE')
})

it('prevents another server of the same kind from using its port', async () => {
  const first = await serve()
  await expect(serve(portOf(first))).rejects.toThrow('EADDRINUSE')
})
