// A model server in a separate process, so that only Nod's work counts: three tokens for any request. Prints its port.
import { createServer } from 'node:http'

const chunk = (delta, finish = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

let bytes = 0
const server = createServer((request, response) => {
  if (request.method === 'GET') return response.end(String(bytes))
  bytes = 0
  request.on('data', (part) => (bytes += part.length))
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const word of ['one ', 'two ', 'three']) response.write(chunk({ role: 'assistant', content: word }))
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
process.on('disconnect', () => process.exit())
