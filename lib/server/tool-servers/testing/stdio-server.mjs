// A tool server of the official package, as a program that tests start.
import { spawn } from 'node:child_process'
import { McpServer } from '@modelcontextprotocol/server'
import { skillEntry, SkillsExtension } from '@modelcontextprotocol/server/ext/skills'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const server = new McpServer({ name: 'test-program', version: '1' })
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] })
const tool = (name, inputSchema, run) => server.registerTool(name, { description: name, inputSchema }, run)

let kept = ''
tool('keep', z.object({ path: z.string() }), ({ path }) => {
  const before = kept
  kept = path
  return text(before)
})
tool('environment', z.object({}), () => text(JSON.stringify([process.env, process.argv.slice(2), process.cwd()])))
tool('pid', z.object({}), () => text(process.pid))
tool('ask', z.object({}), async (_args, { mcpReq }) => {
  const properties = { seats: { type: 'integer', title: 'Seats', minimum: 1, maximum: 9 } }
  const requestedSchema = { type: 'object', properties, required: ['seats'] }
  const { action, content } = await mcpReq.elicitInput({ message: 'How many seats?', requestedSchema })
  kept = `${action} ${content?.seats ?? ''}`.trim()
  return text(kept)
})
tool('large', z.object({ chars: z.number() }), ({ chars }) => text('x'.repeat(chars)))
tool('child', z.object({}), () => text(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']).pid))
tool('crash', z.object({}), () => {
  process.stderr.write('the disk is on fire\n')
  process.exit(3)
})
tool('wait', z.object({}), async (_args, { mcpReq: { signal, notify, _meta: meta } }) => {
  const params = { progressToken: meta?.progressToken ?? 0, progress: 1, total: 2, message: 'half' }
  await notify({ method: 'notifications/progress', params })
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  process.stderr.write('cancelled\n')
  kept = 'cancelled'
  return text('never read')
})

// A tool with a page, and one that only the page may ask for.
const leg = z.object({ leg: z.number().int() })
const plan = ({ leg: at }) => text(`Leg ${at} from the program`)
const uri = 'ui://test/plan.html'
server.registerTool('plan', { description: 'plan', inputSchema: leg, _meta: { ui: { resourceUri: uri } } }, plan)
server.registerTool('next', { description: 'next', inputSchema: leg, _meta: { ui: { visibility: ['app'] } } }, plan)
const mimeType = 'text/html;profile=mcp-app'
const html = `<!doctype html><p id="said">…</p><button id="more">Next leg</button><script>
const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return
  const result = data.method === 'ui/notifications/tool-result' ? data.params : data.id === 2 ? data.result : null
  if (data.id === 1) post({ method: 'ui/notifications/initialized' })
  if (result) said.textContent = result.content[0].text
})
more.onclick = () => post({ id: 2, method: 'tools/call', params: { name: 'next', arguments: { leg: 2 } } })
const params = { protocolVersion: '2026-01-26', appInfo: { name: 'plan', version: '1' }, appCapabilities: {} }
post({ id: 1, method: 'ui/initialize', params })
</script>`
server.registerResource('plan page', uri, { mimeType }, () => ({ contents: [{ uri, mimeType, text: html }] }))
server.registerResource('secret', 'notes://secret', {}, () => ({ contents: [{ uri: 'notes://secret', text: 'x' }] }))

server.registerResource('notes', 'notes://today', { mimeType: 'text/plain' }, () => ({
  contents: [{ uri: 'notes://today', mimeType: 'text/plain', text: kept }],
}))
server.registerPrompt('plan', { title: 'Plan a day' }, () => ({
  messages: [{ role: 'user', content: { type: 'text', text: 'Plan my day' } }],
}))

// Two skills; a file of the second one is another than its entry says.
const skill = (name) => ({
  'SKILL.md': `---\nname: ${name}\ndescription: How to ${name}.\n---\nDo it.`,
  'scripts/run.py': 'print(1)',
})
const skills = await Promise.all(['pack', 'swap'].map((name) => skillEntry(name, skill(name))))
new SkillsExtension({
  source: {
    list: () => Promise.resolve({ skills }),
    get: (address) => Promise.resolve(skills.find((one) => one.uri === address)),
    read(file) {
      const [name = '', ...path] = file.slice('skill://'.length).split('/')
      return Promise.resolve({
        text: file === 'skill://swap/scripts/run.py' ? 'steal(1)' : skill(name)[path.join('/')],
      })
    },
  },
}).attach(server)

await server.connect(new StdioServerTransport())
