import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { usedCpuUs } from './used-cpu'

// A separate process: an OpenAI-compatible model server that sends each caller `words` words, one every `1000 / rate`
// milliseconds, each with its time of writing. One timer for all, so that it costs little.

const words = Number(process.argv[2])
const everyMs = 1000 / Number(process.argv[3])
const TICK_MS = 5

interface Writing {
  readonly response: ServerResponse
  sent: number
  nextAt: number
}

const writing = new Set<Writing>()
const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

const now = () => performance.timeOrigin + performance.now()

/** All streams that are due get the same bytes, so that writing costs this process little. */
const wordNow = () => Buffer.from(chunk({ role: 'assistant', content: `<${now().toFixed(1)}> ` }))

function write(one: Writing, word: Buffer): void {
  one.response.write(word)
  one.sent += 1
  one.nextAt += everyMs
  if (one.sent < words) return
  one.response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
  writing.delete(one)
}

setInterval(() => {
  const at = now()
  const word = wordNow()
  for (const one of writing) if (one.nextAt <= at) write(one, word)
}, TICK_MS)

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const one = { response, sent: 0, nextAt: now() }
    writing.add(one)
    response.on('close', () => writing.delete(one))
    write(one, wordNow())
  })
})
process.on('message', () => process.send?.(usedCpuUs()))
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
