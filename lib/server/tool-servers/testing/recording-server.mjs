// A hand-written tool server that starts fast. It writes each call to the file of its first argument before it
// responds, and exits by itself if the call says so.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , file] = process.argv
const say = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
const tool = { name: 'note', description: 'Notes', inputSchema: { type: 'object' } }

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') {
    say(id, {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'noting', version: '1' },
    })
  } else if (method === 'tools/list') say(id, { tools: [tool] })
  else if (method === 'tools/call') {
    const { text, ends, waitMs } = params.arguments
    if (ends === 'before') process.exit(1)
    appendFileSync(file, `${text}\n`)
    if (ends === 'after') process.exit(1)
    setTimeout(() => say(id, { content: [{ type: 'text', text: `noted ${text}` }] }), waitMs)
  }
})
