import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const WORDS = 100

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

/** A model server that answers immediately, so that only Nod's own time is measured. */
export async function startUpstream(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (let n = 0; n < WORDS; n += 1) response.write(chunk({ role: 'assistant', content: `word${n} ` }))
      response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
