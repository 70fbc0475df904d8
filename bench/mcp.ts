// npm run bench -- mcp [--rounds N] [--write]: the cost of tool servers. Measures the prompt tokens of 12, 60 and 250
// tools in each call format; the time from a new address to the first result; and start, memory and calls of programs,
// in turns with a client that uses the official package directly. `--write`: docs/generated/bench-mcp.md. Exits with 1
// if 250 tools cost more than 1,500 tokens. Linux only.
import '@/lib/i18n/server-messages'
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { openWorker } from '@/lib/client/mcp/testing/worker'
import { connectServer } from '@/lib/server/tool-servers/connect.server'
import { readToolList } from '@/lib/shared/mcp/tool-page'
import type { McpTool } from '@/lib/shared/conversation/settings/tool-server'
import { strategyIds } from '@/lib/protocols/types/tool-context-def'
import { freePorts } from '../scripts/setup/free-ports.mjs'
import { inRoot } from '../scripts/setup/paths.mjs'
import { childrenOf, memoryOf } from './mcp/processes'
import { manyTools, schemaTokens, tokensIn } from './mcp/prompt-tokens'
import { median } from './parse/measure'

const MOST_TOKENS = 1_500
const COUNTS = [12, 60, 250]
const args = process.argv.slice(2)
const rounds = args.includes('--rounds') ? Number(args[args.indexOf('--rounds') + 1]) : 15
const signal = new AbortController().signal

const program = (name: string) => inRoot(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`)
const folder = await mkdtemp(path.join(tmpdir(), 'nod-bench-mcp-'))
const programs = {
  everything: { args: [program('everything'), 'stdio'], call: ['echo', { message: 'hello' }] },
  filesystem: { args: [program('filesystem'), folder], call: ['list_directory', { path: folder }] },
  memory: { args: [program('memory')], call: ['read_graph', {}] },
  'sequential-thinking': {
    args: [program('sequential-thinking')],
    call: ['sequentialthinking', { thought: 'a', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }],
  },
} as const
const env = { PATH: process.env['PATH'] ?? '', MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl') }

interface Running {
  readonly list: () => Promise<readonly McpTool[]>
  readonly call: (name: string, args: Record<string, unknown>) => Promise<unknown>
  readonly close: () => Promise<void>
}

const inNod = async (name: keyof typeof programs): Promise<Running> => {
  const connection = await connectServer(
    { fetch, env },
    { kind: 'stdio', name, isShared: true, command: process.execPath, args: programs[name].args, env, folder: null },
    { owner: 'bench', signal, onEnd: () => {} },
  )
  return {
    list: async () => readToolList(await connection.list(signal)).tools,
    call: (tool, given) => connection.call({ name: tool, args: given as never, timeoutMs: 20_000 }, {}),
    close: () => connection.close(),
  }
}

const directly = async (name: keyof typeof programs): Promise<Running> => {
  const client = new Client({ name: 'direct', version: '1' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...programs[name].args], env, stderr: 'ignore' }),
  )
  return {
    list: async () => readToolList((await client.listTools()).tools as never).tools,
    call: (tool, given) => client.callTool({ name: tool, arguments: given }),
    close: () => client.close(),
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const from = performance.now()
  const value = await work()
  return { value, ms: performance.now() - from }
}

/** Starts a program, lists its tools, calls one, ends it, and measures its memory. */
async function measureProgram(open: typeof inNod, name: keyof typeof programs) {
  const before = new Set(childrenOf())
  const { value: running, ms: start } = await timed(async () => {
    const made = await open(name)
    return { ...made, tools: await made.list() }
  })
  const [tool, given] = programs[name].call
  const calls: number[] = []
  for (let count = 0; count < 10; count += 1) calls.push((await timed(() => running.call(tool, given))).ms)
  const pid = childrenOf().find((one) => !before.has(one)) ?? 0
  const memory = memoryOf(pid)
  await running.close()
  return { start, call: median(calls), ...memory, tools: running.tools }
}

/** From a new address to the first result, as in the page: connect, list, call. */
async function firstResultInNod(url: string) {
  let requests = 0
  const remote = openWorker(url, (input, init) => {
    requests += 1
    return fetch(input, init)
  })
  const { ms } = await timed(async () => {
    const met = await remote.connect(url, 'auto')
    const listed = await remote.list()
    if (!met.ok || !listed.ok) throw new Error('not connected')
    const answer = await remote.call(
      { name: 'echo', args: { message: 'hello' }, timeoutMs: 20_000 },
      { signal, onProgress: () => {} },
    )
    if (answer.kind !== 'answered') throw new Error(answer.kind)
  })
  remote.close()
  return { ms, requests }
}

async function firstResultDirectly(url: string) {
  let requests = 0
  const client = new Client({ name: 'direct', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: (input, init) => {
      requests += 1
      return fetch(input, init)
    },
  })
  const { ms } = await timed(async () => {
    await client.connect(transport)
    await client.listTools()
    await client.callTool({ name: 'echo', arguments: { message: 'hello' } })
  })
  await client.close()
  return { ms, requests }
}

async function startEverything(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program('everything'), 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      if (/listening/i.test(chunk.toString())) resolve()
    })
    child.once('exit', () => reject(new Error('server-everything ended')))
  })
  return child
}

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [
    `| ${head.join(' | ')} |`,
    `| ${head.map((_, at) => (at === 0 ? '---' : '---:')).join(' | ')} |`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n')
const load = () => (loadavg()[0] ?? 0).toFixed(1)

const loadBefore = load()
const lists = new Map<string, readonly McpTool[]>()
const ofPrograms: (string | number)[][] = []
const turns = Math.max(3, Math.ceil(rounds / 3))
for (const name of Object.keys(programs) as (keyof typeof programs)[]) {
  const ours: Awaited<ReturnType<typeof measureProgram>>[] = []
  const theirs: typeof ours = []
  for (let turn = 0; turn < turns; turn += 1) {
    // The order alternates, because the first one finds the machine in another state.
    if (turn % 2 === 1) theirs.push(await measureProgram(directly, name))
    ours.push(await measureProgram(inNod, name))
    if (turn % 2 === 0) theirs.push(await measureProgram(directly, name))
  }
  lists.set(name, ours[0]?.tools ?? [])
  const of = (all: typeof ours, what: 'start' | 'call' | 'own' | 'resident', digits = 0) =>
    median(all.map((one) => one[what])).toFixed(digits)
  ofPrograms.push([
    `server-${name}`,
    lists.get(name)?.length ?? 0,
    of(ours, 'start'),
    of(theirs, 'start'),
    of(ours, 'call', 1),
    of(theirs, 'call', 1),
    of(ours, 'own'),
    of(theirs, 'own'),
    of(ours, 'resident'),
  ])
}

const port = await freePorts(4_700, 1)
const everything = await startEverything(port)
const url = `http://127.0.0.1:${port}/mcp`
const ours: Awaited<ReturnType<typeof firstResultInNod>>[] = []
const theirs: typeof ours = []
for (let turn = 0; turn < rounds; turn += 1) {
  if (turn % 2 === 1) theirs.push(await firstResultDirectly(url))
  ours.push(await firstResultInNod(url))
  if (turn % 2 === 0) theirs.push(await firstResultDirectly(url))
}
everything.kill()
const msOf = (all: typeof ours) => median(all.map(({ ms }) => ms)).toFixed(0)
const requestsOf = (all: typeof ours) => median(all.map(({ requests }) => requests))

const sets = COUNTS.map((count) => manyTools(lists, count))
const tokens = sets.map(tokensIn)
const ofFormats = [
  ...strategyIds.map((id) => [`\`${id}\``, ...tokens.map((one) => one.get(id) ?? 0)]),
  ['every schema, as fields', ...sets.map(schemaTokens)],
]
await rm(folder, { recursive: true, force: true })

const most = Math.max(...(tokens.at(-1)?.values() ?? []))
const page = `# Tool servers

What tool servers (MCP) cost. \`npm run bench -- mcp --write\` writes this page. The machine has 2 shared cores (load ${loadBefore} at the
start, ${load()} at the end), so ratios are more reliable than milliseconds.

## Prompt tokens

Estimated tokens that so many tools add to each prompt. They are the ${[...lists.values()].flat().length} tools of the servers below, again under other names. Up to
12 tools are described in the prompt; more of them are found by \`find_tools\`. **250 tools cost at most ${most.toLocaleString('en')} tokens** (the
bound is ${MOST_TOKENS.toLocaleString('en')}).

${table(['format', ...COUNTS.map((count) => `${count} tools`)], ofFormats)}

The last row is what a client pays that sends the schemas of all tools with each request. A prompt with more than a dozen tools describes
the built-in ones shorter, so a difference can be below zero.

## From a new address to the first result

server-everything over HTTP on this machine: connect, list, call. Medians of ${rounds}, in turns.

${table(
  ['client', 'ms', 'requests'],
  [
    ['Nod’s worker code', msOf(ours), requestsOf(ours)],
    ['the official client, used directly', msOf(theirs), requestsOf(theirs)],
  ],
)}

## Programs

Each is started, listed and called ten times, by Nod's server and by the official client, in turns; medians of ${turns}. Start: until the list
is there. Own memory: what only this process has.

${table(
  [
    'program',
    'tools',
    'start, ms',
    'start, direct',
    'a call, ms',
    'a call, direct',
    'own memory, MB',
    'own memory, direct',
    'resident, MB',
  ],
  ofPrograms,
)}
`
console.log(page)
if (args.includes('--write')) await writeFile(inRoot('docs/generated/bench-mcp.md'), page)
process.exitCode = most <= MOST_TOKENS ? 0 : 1
process.exit()
