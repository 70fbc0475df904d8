import { startServer } from './first-text/server'
import { startUpstream } from './first-text/upstream'
import { ensureBuilt } from '../scripts/setup/build.mjs'
import { withCleanups } from '../scripts/setup/cleanups.mjs'

// npm run bench -- first-text: on an idle server, how long the first text takes compared with asking the model
// directly, and how much memory a reply leaves in the server. `NOD_BENCH_ROUNDS` replies for the memory, 300 by
// default.

const FIRST_TEXTS = 40
const WARM_UP = 60
const REPLIES = Number(process.env['NOD_BENCH_ROUNDS'] || 300)

const percentile = (values: readonly number[], share: number): string =>
  (values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN).toFixed(1)

/** Milliseconds until a text containing `wanted` has arrived. */
async function untilSeen(body: ReadableStream<Uint8Array> | null, wanted: string, since: number): Promise<number> {
  const decoder = new TextDecoder()
  let seen = ''
  let at = Number.NaN
  for await (const bytes of body ?? []) {
    seen += decoder.decode(bytes, { stream: true })
    if (Number.isNaN(at) && seen.includes(wanted)) at = performance.now() - since
  }
  return at
}

await withCleanups(async (cleanups) => {
  await ensureBuilt()
  const upstream = await startUpstream()
  cleanups.add(() => upstream.close())
  const server = await startServer(upstream.url)
  cleanups.add(() => server.close())
  const page = await fetch(server.base)
  const cookie = (page.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', cookie }
    const response = await fetch(`${server.base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }

  async function throughNod(): Promise<number> {
    const conversationId = crypto.randomUUID()
    await post('/api/conversations', { id: conversationId, settings: { model: 'openai-compatible/m' } })
    const since = performance.now()
    const append = { kind: 'user', id: crypto.randomUUID(), parentId: null, text: 'hi' }
    const { runId } = (await post('/api/chat', { conversationId, append })) as { runId: string }
    const events = await fetch(`${server.base}/api/runs/${runId}/events?after=0`, { headers: { cookie } })
    return untilSeen(events.body, 'word0', since)
  }

  async function directly(): Promise<number> {
    const since = performance.now()
    const asked = await fetch(`${upstream.url}/chat/completions`, { method: 'POST', body: '{}' })
    return untilSeen(asked.body, 'word0', since)
  }

  for (let n = 0; n < WARM_UP; n += 1) {
    await throughNod()
    await directly()
  }
  const direct: number[] = []
  const nod: number[] = []
  for (let n = 0; n < FIRST_TEXTS; n += 1) {
    direct.push(await directly())
    nod.push(await throughNod())
  }
  console.log(
    `first text, idle, ms p50/p95: direct ${percentile(direct, 0.5)}/${percentile(direct, 0.95)}, Nod ${percentile(nod, 0.5)}/${percentile(nod, 0.95)}`,
  )
  const before = await server.heap()
  for (let n = 0; n < REPLIES; n += 1) await throughNod()
  const after = await server.heap()
  const perReply = (after.heapUsed - before.heapUsed) / REPLIES / 1000
  console.log(
    `heap after a collection, MB: ${(before.heapUsed / 1e6).toFixed(1)} → ${(after.heapUsed / 1e6).toFixed(1)} after ${REPLIES} replies of 100 words (${perReply.toFixed(1)} kB each)`,
  )
})
