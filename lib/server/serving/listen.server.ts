import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'

/**
 * Node accepts one connection per listening socket and turn of the event loop. A busy process has 10 to 40 turns a
 * second, so that many new visitors would wait in the kernel for seconds. Several sockets accept as many connections
 * per turn.
 */
const SOCKETS = 32

interface Address {
  readonly port: number
  readonly host: string
}

async function startListening(server: Server, address: Address & { readonly reusePort: boolean }): Promise<void> {
  server.listen(address)
  await once(server, 'listening')
}

const close = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()))

/** Checks that the address is free: sockets that share a port would not notice another process that shares it, too. */
async function takeAlone({ port, host }: Address): Promise<number> {
  const probe = createServer()
  await startListening(probe, { port, host, reusePort: false })
  const taken = (probe.address() as AddressInfo).port
  await close(probe)
  return taken
}

/**
 * Returns the listening servers: `server`, and those that pass their connections to it. Rejects if the address is in
 * use.
 */
export async function listen(server: Server, address: Address): Promise<readonly Server[]> {
  // Workers get their connections from their supervisor, whose event loop is mostly idle.
  if (cluster.isWorker) {
    await startListening(server, { ...address, reusePort: false })
    return [server]
  }
  const { host } = address
  const port = await takeAlone(address)
  try {
    await startListening(server, { host, port, reusePort: true })
  } catch {
    // This system does not support shared ports.
    await startListening(server, { host, port, reusePort: false })
    return [server]
  }
  const servers = [server]
  while (servers.length < SOCKETS) {
    // The same options as Node's `http` uses.
    const more = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
    const isListening = await startListening(more, { host, port, reusePort: true }).then(
      () => true,
      () => false,
    )
    if (!isListening) break
    servers.push(more)
  }
  return servers
}
