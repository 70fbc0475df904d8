import { randomUUID } from 'node:crypto'

/** A new visitor's chat with the demo, from the first message to the end of the reply. @param {string} origin */
export async function talkTo(origin) {
  const page = await fetch(origin)
  if (!page.ok || !(await page.text()).includes('<html')) throw new Error(`the page answered ${page.status}`)
  const append = { kind: 'user', id: randomUUID(), parentId: null, text: 'Hello' }
  const sent = await fetch(`${origin}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ conversationId: randomUUID(), append, create: { model: 'demo/demo' } }),
  })
  const said = await sent.text()
  if (!sent.ok) throw new Error(`the message was answered with ${sent.status}: ${said}`)
  const cookie = sent.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const { runId } = JSON.parse(said)
  const events = await fetch(`${origin}/api/runs/${runId}/events?after=0`, { headers: { cookie } })
  const lines = (await events.text()).split('\n').filter((line) => line.trim() !== '')
  const read = lines.map((line) => JSON.parse(line))
  const end = read.at(-1)
  if (end?.type !== 'end' || end.outcome !== 'finished') throw new Error(`the reply ended so: ${lines.at(-1)}`)
  const characters = read.reduce((sum, event) => sum + (event.type === 'delta' ? event.text.length : 0), 0)
  if (characters === 0) throw new Error('the reply was empty')
  return { events: read.length, characters }
}
