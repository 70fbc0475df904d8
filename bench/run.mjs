// npm run bench -- NAME [arguments]: runs one bench; without a name, lists them. Options are in each bench's first
// comment.
import { ensureInstalled } from '../scripts/setup/install.mjs'
import { run } from '../scripts/setup/run.mjs'

const benches = {
  approvals: 'how often a user decides in scripted tasks, by each way to approve',
  beside: 'compares a bench of this checkout with another checkout, in turns',
  calls: 'from a click on Run to the result on screen, in Chromium',
  chats: 'list, search and bulk actions over 10,000 chats, on both databases',
  conformance: 'the official suite for MCP clients against our connection and sign-in',
  copy: 'opening a copy of 5,000 files: time and memory',
  documents: 'documents and tables to text and SQL: seconds and memory, beside pdf.js and papaparse alone',
  'exact-cost': 'size and build time of the grammars that constrain a reply',
  'first-load': 'a first visit: bytes, time until the page shows, time until it takes typing',
  'first-text': 'time to the first token beside asking the model directly, and memory a reply leaves',
  idle: 'memory and start time of an idle server',
  import: 'import of a 500 MB export of another chat',
  markdown: 'longest main-thread task for hostile and ordinary replies',
  mcp: 'tool servers: prompt tokens of many tools, add to first result, start and memory of programs, beside a direct client',
  models: 'tokens per second of a model that runs in the browser',
  node: 'how many Node programs behave in the sandbox as they do in Node',
  origin: 'how often the marks of origin are right on injected and on ordinary calls',
  parse: 'time and growth of reading a reply, beside other parsers',
  replies: 'how many replies of the corpus each parser reads correctly',
  rounds: 'server CPU of one message in a long chat with tool calls',
  sandbox: 'overhead of the sandbox',
  search: 'full-text search over 100,000 messages, on both databases',
  simulate: 'a simulated day of many users on several nodes',
  streams: 'many replies at once: time to first token, CPU per token',
  thread: 'opening and typing in chats of 10 to 1,000 messages',
  turns: 'server CPU of a long chat: decide, append, open, scroll back',
  vfs: 'file operations beside other browser file systems',
  xgrammar: 'whether XGrammar (vLLM, SGLang) accepts our grammars',
}
const modules = new Set(['beside', 'conformance', 'idle', 'node', 'sandbox', 'vfs'])

const [name = '', ...args] = process.argv.slice(2)
if (Object.hasOwn(benches, name)) {
  await ensureInstalled()
  process.exitCode = await run('tsx', [`bench/${name}.${modules.has(name) ? 'mjs' : 'ts'}`, ...args])
} else {
  const lines = Object.entries(benches).map(([one, purpose]) => `  ${one.padEnd(12)} ${purpose}`)
  console.error([name ? `There is no bench "${name}".` : 'npm run bench -- NAME [arguments]', ...lines].join('\n'))
  process.exitCode = 2
}
