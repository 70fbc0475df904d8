import '@/lib/i18n/server-messages'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { callHash } from '@/lib/shared/calls/call-hash'
import { makeServer } from '@/lib/server/wiring/make-server'
import { chatOf, OPEN_CALLS, type Shape } from './turns/chats'

// npm run bench -- turns: the server's cost of a long chat: process CPU, milliseconds, medians.
//   decide   a click on Run
//   append   a message, from the request to the end of a reply of three tokens by a model server in a separate process
//   open     the end of the chat and its outline, as sent to the page
//   older    messages on scroll
//   whole    the whole chat in one response
// Each chat runs with a model whose context window is unknown, once limited as such prompts are
// (`NOD_MAX_PROMPT_TOKENS`) and once sent whole, and with one of 8,192 tokens. Arguments after `--`: other chats, e.g.
// 5000x4000x0: messages x characters x calls. The imported chat is indexed completely before anything is measured. The
// upstream's own share: `write`, the cost of serializing a prompt of this many bytes as JSON and sending it, without
// anything else.

const OWNER = 'bench'
const APPENDS = 7
const WINDOW = 8_192
/** Messages of the end of a chat that is opened, and of one page on scroll. */
const PAGE = 200
const OLDER = 40
const usual = ['2x200x0', '1000x200x0', '5000x200x0', '1000x200x500', '1000x4000x0', '5000x4000x0']
const named = process.argv.slice(2)
const shapes: readonly Shape[] = (named.length > 0 ? named : usual)
  .map((words) => words.split('x').map(Number))
  .map(([messages = 2, chars = 200, calls = 0]) => ({ messages, chars, calls }))

const dataDir = mkdtempSync(join(tmpdir(), 'nod-turns-'))
const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
const medianOf = (values: readonly number[]): string =>
  (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN).toFixed(1)

async function startUpstream() {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'turns/upstream.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const { stdout } = child
  if (!stdout) throw new Error('the model server has no output')
  const [said] = (await once(stdout, 'data')) as [Buffer]
  const url = `http://127.0.0.1:${said.toString().trim()}`
  return { url, bytes: async () => Number(await (await fetch(url)).text()), stop: () => child.disconnect() }
}

/** Waits until the indexing after the writes is done. */
async function untilIndexed(): Promise<void> {
  const database = new DatabaseSync(join(dataDir, 'nod.sqlite'), { readOnly: true })
  const due = database.prepare('select 1 from words_due limit 1')
  while (due.get() !== undefined) await wait(200)
  database.close()
}

type Window = number | 'unknown' | 'whole'

function writeConfig(upstream: string, window: Window): string {
  const file = join(dataDir, `config-${window}.json`)
  const model = { name: 'm', ...(typeof window === 'number' && { contextTokens: window }) }
  const provider = { kind: 'openai-compatible', id: 'bench', label: 'Bench', url: `${upstream}/v1`, models: [model] }
  writeFileSync(file, JSON.stringify({ defaultModel: 'bench/m', providers: [provider] }))
  return file
}

async function measure(shape: Shape, upstream: Awaited<ReturnType<typeof startUpstream>>, window: Window) {
  const bound = window === 'whole' && { NOD_MAX_PROMPT_TOKENS: '0' }
  const env = { NOD_DATA_DIR: dataDir, NOD_OLLAMA: 'off', NOD_CONFIG: writeConfig(upstream.url, window), ...bound }
  const { service, dispose } = await makeServer(env)
  const whole = async () => JSON.stringify(await service.view(OWNER, id)).length
  const open = async () => JSON.stringify(await service.view(OWNER, id, PAGE)).length
  const older = async (ids: readonly string[]) => JSON.stringify(await service.messages(OWNER, id, ids)).length
  const say = async (conversationId: string, parentId: string | null): Promise<string> => {
    const append = { kind: 'user', id: crypto.randomUUID(), parentId, text: 'and now?' } as const
    const { runId, replyId } = await service.append(OWNER, { conversationId, append })
    await service.settled(runId)
    return replyId
  }
  const timed = async <T>(work: () => Promise<T>, spent: number[]): Promise<T> => {
    const since = cpuMs()
    const answer = await work()
    spent.push(cpuMs() - since)
    return answer
  }
  // The code is warm before the chat is loaded.
  const small = await service.create(OWNER, { id: crypto.randomUUID(), settings: { model: 'bench/m' } })
  let head: string | null = null
  for (let n = 0; n < 8; n += 1) head = await say(small.id, head)
  const { id } = await service.import(OWNER, { id: crypto.randomUUID(), export: chatOf(shape), take: ['model'] })
  head = (await service.view(OWNER, id)).conversation.headId ?? ''
  await untilIndexed()

  const decides: number[] = []
  const appends: number[] = []
  const opens: number[] = []
  const olders: number[] = []
  const wholes: number[] = []
  for (let slot = 0; slot < OPEN_CALLS; slot += 1) {
    const hash = await callHash(head, slot, 'read_file', { path: `/parts/part-${slot}.csv` })
    const call = { messageId: head, slot, callHash: hash, decision: 'deny', runnerId: 'tab', attempt: 1 } as const
    await timed(() => service.decide(OWNER, id, call), decides)
  }
  for (let n = 0; n < APPENDS; n += 1) {
    const parent: string = head
    head = await timed(() => say(id, parent), appends)
  }
  const prompt = await upstream.bytes()
  const ids = (await service.view(OWNER, id, PAGE)).outline?.ids ?? []
  const sizes = { open: 0, older: 0, whole: 0 }
  for (let n = 0; n < 5; n += 1) {
    sizes.open = await timed(open, opens)
    sizes.older = await timed(() => older(ids.slice(n * OLDER, (n + 1) * OLDER)), olders)
    sizes.whole = await timed(whole, wholes)
  }
  await dispose()
  const kB = (bytes: number) => `${Math.round(bytes / 1_000)} kB`
  const [first = Number.NaN] = appends
  const chat = `${shape.messages} messages of ${shape.chars}, ${shape.calls} calls, window ${window}`
  console.log(
    `${chat}: decide ${medianOf(decides)} ms, first append ${first.toFixed(1)}, then ${medianOf(appends.slice(1))} (prompt ${kB(prompt)}), open ${medianOf(opens)} (${kB(sizes.open)}), older ${medianOf(olders)} (${kB(sizes.older)}), whole ${medianOf(wholes)} (${kB(sizes.whole)})`,
  )
}

/** CPU of only serializing a prompt and sending it, ms: what no cache of ours can save while all of it is sent. */
async function writeAlone({ messages, chars }: Shape, url: string): Promise<string> {
  const text = 'word '.repeat(chars / 5)
  const body = {
    model: 'm',
    messages: Array.from({ length: messages }, (_, n) => ({ role: 'user', content: `${n} ${text}` })),
  }
  const spent: number[] = []
  for (let n = 0; n < APPENDS; n += 1) {
    const since = cpuMs()
    const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body: JSON.stringify(body) })
    await response.text()
    spent.push(cpuMs() - since)
  }
  return `${messages} messages of ${chars}: write ${medianOf(spent)} ms`
}

const upstream = await startUpstream()
try {
  for (const shape of shapes.filter(({ calls }) => calls === 0)) console.log(await writeAlone(shape, upstream.url))
  for (const shape of shapes)
    for (const window of ['unknown', 'whole', WINDOW] as const) await measure(shape, upstream, window)
} finally {
  upstream.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
