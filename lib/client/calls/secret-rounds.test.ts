import type * as builder from '@/lib/protocols/tool-context-builder'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import { callKey } from '@/lib/client/state/state'
import { viewOf } from '@/lib/client/state/open-conversations'
import { openRawStore } from '@/lib/server/store/testing/open-raw-store'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { placeholdersIn } from '@/lib/shared/secrets/placeholders'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { createWorld } from './testing/call-world'
import { call, MESSAGE } from './testing/world-calls'

vi.mock('@/lib/shared/calls/call-hash', () => ({
  callHash: (...parts: unknown[]) => Promise.resolve(JSON.stringify(parts)),
  resultsMessageId: (id: string) => Promise.resolve(`results-of-${id}`),
}))
// The calls of the world are read by the world.
vi.mock('@/lib/protocols/tool-context-builder', async (importOriginal) => {
  const actual = await importOriginal<typeof builder>()
  const { call: callOf } = await import('./testing/world-calls')
  const parseResponse = () => ({ type: 'tool_call', segments: [0, 1, 2, 3].map((slot) => callOf(slot)) })
  return { ...actual, toolContextBuilder: { ...actual.toolContextBuilder, parseResponse } }
})

const key = ['sk-ant-', 'api03-', 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA'].join('')
const mail = 'anna.meyer@mail.example'
const values = [key, mail, btoa(key), btoa(mail).replace(/=+$/, ''), key.toUpperCase(), mail.toUpperCase()]

let raw: Awaited<ReturnType<typeof openRawStore>>
beforeAll(async () => {
  raw = await openRawStore({ decodeSettings })
})
afterAll(() => raw.close())

/** Every row of every table, including the search index. */
async function everything(): Promise<string> {
  const { tables, store } = raw
  const names =
    store.kind === 'sqlite'
      ? (await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(tables)).rows
      : await tables.introspection.getTables()
  const all: string[] = []
  for (const { name } of names) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(tables)
    const text = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value)
    all.push(...rows.map((row) => JSON.stringify(Object.entries(row).map(([column, value]) => [column, text(value)]))))
  }
  return all.join('\n')
}

const plain = { durationMs: 1, console: [], displays: [] }

/** Slot 0 returns the values, slot 1 echoes its input in several forms, slot 2 fails with it. */
function runtimeOf(ran: Map<number, JsonObject>): ToolRuntime {
  const vfs = createMemoryVfs()
  return {
    vfs,
    dispose: () => {},
    execute(_name, args, { origin }): Promise<CallOutcome> {
      const slot = origin?.kind === 'call' ? origin.slot : -1
      ran.set(slot, args)
      const echo = JSON.stringify(args)
      switch (slot) {
        case 0:
          return Promise.resolve({
            ...plain,
            status: 'completed',
            result: { path: '/.nod/results/1.txt', content: `ANTHROPIC_API_KEY=${key}\nwrite to ${mail}` },
            console: [{ level: 'log', text: `read ${key}`, atMs: 1 }],
            displays: [{ kind: 'text', data: mail, name: mail }],
          })
        case 1:
          return Promise.resolve({
            ...plain,
            status: 'completed',
            result: [echo, btoa(key), echo.toUpperCase(), { [mail]: btoa(mail) }],
            files: { kept: true, total: 1, changes: [{ path: `/${mail}`, change: 'created', kind: 'file', size: 1 }] },
          })
        default:
          throw new Error(`the tool broke on ${echo}`)
      }
    },
  }
}

it('lets no secret value reach the server: no request, no row, no export, and no model', async () => {
  const ran = new Map<number, JsonObject>()
  const args = (slot: number, content: string) => call(slot, { arguments: { path: `/${slot}`, content } })
  const world = await createWorld({
    store: raw.store,
    runtime: runtimeOf(ran),
    tools: { resultGate: 'always' },
    calls: [call(0), args(1, '⟦secret-1⟧ to ⟦secret-5⟧'), args(2, '⟦secret-1⟧, ⟦secret-5⟧'), args(3, '⟦secret-3⟧')],
  })
  const rowOf = (slot: number) => world.rows().find((row) => row.slot === slot)
  const run = async (slot: number) => {
    world.click(0, (actions, id) => actions.run(id, [slot]))
    await world.settle()
  }
  await run(0)
  expect(rowOf(0)).toMatchObject({
    gated: true,
    outcome: {
      result: { content: 'ANTHROPIC_API_KEY=⟦secret-1⟧\nwrite to ⟦secret-5⟧' },
      console: [{ text: 'read ⟦secret-1⟧' }],
      displays: [{ data: '⟦secret-5⟧', name: '⟦secret-5⟧' }],
    },
  })
  // The call runs with the value of the placeholder that the user approved. The text that the model wrote is what is
  // stored.
  await run(1)
  expect(ran.get(1)).toEqual({ path: '/1', content: `${key} to ${mail}` })
  expect(rowOf(1)).toMatchObject({
    callHash: JSON.stringify([MESSAGE, 1, 'write_file', { path: '/1', content: '⟦secret-1⟧ to ⟦secret-5⟧' }]),
    changed: null,
    outcome: { files: { changes: [{ path: '/⟦secret-5⟧' }] } },
  })
  await run(2)
  expect(JSON.stringify(rowOf(2)?.outcome)).toMatch(/the tool broke on .*⟦secret-1⟧, ⟦secret-5⟧/)

  // A placeholder with an unknown number must not be sent as text.
  await run(3)
  expect(ran.has(3)).toBe(false)
  expect(rowOf(3)).toBeUndefined()
  expect(viewOf(world.stateOf(0)).live.get(callKey(MESSAGE, 3))?.problem).toMatch(/⟦secret-3⟧ has no value/)
  // The user edits the call and types a known and an unknown value. The known one still stays in this browser.
  await changeAndDeny(world, 3, `${key} and more`)

  for (const slot of [0, 1, 2])
    world.click(0, (actions, id) => void actions.release(id, slot, { kind: 'sent', note: '' }))
  await world.settle()
  expect(world.posts).toHaveLength(1)
  const exported = await world.ask(async (service, owner) => {
    const { pieces } = await service.export(owner, world.conversationId)
    return (await Array.fromAsync(pieces)).join('')
  })
  const stored = await everything()
  for (const text of [world.sent.join('\n'), stored, JSON.stringify(exported)]) {
    expect(text).toContain('⟦secret-1⟧')
    for (const value of values) expect(text).not.toContain(value)
  }
  // The model gets a note on how to use placeholders.
  expect(stored).toContain('write the placeholder as it is in the arguments of a call')
})

async function changeAndDeny(world: Awaited<ReturnType<typeof createWorld>>, slot: number, content: string) {
  const amended = { name: 'write_file', arguments: { path: `/${slot}`, content } }
  world.click(0, (actions, id) => void actions.amend(id, slot, amended))
  await world.settle()
  world.click(0, (actions, id) => actions.deny(id, [slot], ''))
  await world.settle()
}

it('keeps every kind of value, in texts, numbers, members and files, and puts it into nested arguments and code', async () => {
  const kinds: Readonly<Record<string, string>> = {
    vault: ['hvs', '.CAESIJ3dE5gH7jK9mN1pQ2rS4tU6vW8'].join(''),
    webhook: ['T0AB12', '/B0CD34/', 'aB3dE5gH7jK9mN1pQ2rS4tU6'].join(''),
    setting: 'correct-horse',
    card: '5555555555554444',
    iban: 'GB82WEST12345698765432',
    phone: '4915112345678',
    office: '030 1234567',
    mail: 'jürgen@bücher.example',
  }
  const of = (name: string) => kinds[name] ?? ''
  const result = {
    content: `VAULT=${of('vault')}\nhook https://hooks.slack.com/services/${of('webhook')}\nDB_PASSWORD=${of('setting')}\n`,
    rows: [{ name: 'Anna', card: Number(of('card')), phone: Number(of('phone')), account: of('iban') }],
    lines: [[`Anna,${of('office')}`, { to: [`<${of('mail')}>`] }]],
  }
  const sealed = async (calls: readonly ReturnType<typeof call>[], ran: Map<number, JsonObject>) => {
    const runtime: ToolRuntime = {
      vfs: createMemoryVfs(),
      dispose: () => {},
      execute(_name, args, { origin }) {
        const slot = origin?.kind === 'call' ? origin.slot : -1
        ran.set(slot, args)
        return Promise.resolve({ ...plain, status: 'completed', result: slot === 0 ? result : args })
      },
    }
    const world = await createWorld({ store: raw.store, runtime, tools: { resultGate: 'always' }, calls })
    for (const slot of calls.keys()) {
      world.click(0, (actions, id) => actions.run(id, [slot]))
      await world.settle()
    }
    return world
  }
  const first = await sealed([call(0), call(1)], new Map())
  const stored = JSON.stringify(first.rows().find(({ slot }) => slot === 0)?.outcome?.result)
  expect(stored).toMatch(/"card":"⟦secret-\d+⟧".*"phone":"⟦secret-\d+⟧"|"phone":"⟦secret-\d+⟧".*"card":"⟦secret-\d+⟧"/)
  const numbers = placeholdersIn(stored)
  expect(numbers).toHaveLength(Object.keys(kinds).length)

  const ran = new Map<number, JsonObject>()
  const marks = numbers.map((number) => `⟦secret-${number}⟧`)
  const args = { path: '/1', deep: [{ list: [marks] }], [`key ${marks[0]}`]: 1, code: `send('${marks.join("', '")}')` }
  const world = await sealed([call(0), call(1, { arguments: args })], ran)
  const filled = JSON.stringify(ran.get(1))
  for (const value of Object.values(kinds)) expect(filled.split(value).length).toBeGreaterThan(2)
  expect(filled).not.toContain('⟦')
  const all = [first.sent.join('\n'), world.sent.join('\n'), await everything()]
  for (const text of all) for (const value of Object.values(kinds)) expect(text).not.toContain(value)
})

it('runs a call with a placeholder only by a click, and keeps no approval of it', async () => {
  const ran = new Map<number, JsonObject>()
  const world = await createWorld({
    store: raw.store,
    runtime: runtimeOf(ran),
    desks: true,
    tools: { resultGate: 'never', mode: 'auto' },
    calls: [call(0), call(1, { arguments: { path: '/1', content: '⟦secret-1⟧' } })],
  })
  await world.settle()
  expect([...ran.keys()]).toEqual([0])
  // No setting holds the result, but it contained a key.
  expect(world.rows()[0]).toMatchObject({
    gated: true,
    outcome: { result: { content: expect.stringContaining(mail) } },
  })
  world.click(0, (actions, id) => actions.run(id, [1], { by: { kind: 'auto' } }))
  world.click(0, (actions, id) => void actions.remember(id, 1, 'arguments'))
  await world.settle()
  expect(ran.has(1)).toBe(false)
  expect(world.grants.size).toBe(0)
  world.click(0, (actions, id) => actions.run(id, [1]))
  await world.settle()
  expect(ran.get(1)).toEqual({ path: '/1', content: key })
})

it('gives no number twice when two devices run two calls of a reply at once', async () => {
  const other = ['sk-ant-', 'api03-', 'bC4dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC'].join('')
  const world = await createWorld({
    store: raw.store,
    runtime: {
      vfs: createMemoryVfs(),
      dispose: () => {},
      execute: (_name, _args, { origin }) =>
        Promise.resolve({
          ...plain,
          status: 'completed',
          result: origin?.kind === 'call' && origin.slot === 0 ? `${key} ${mail}` : `${other} ${mail}`,
        }),
    },
    tools: { resultGate: 'always' },
    calls: [call(0), call(1, { arguments: { path: '/1' } })],
    ownVaults: true,
  })
  world.click(0, (actions, id) => actions.run(id, [0]))
  world.click(1, (actions, id) => actions.run(id, [1]))
  await world.settle()
  const numbers = world.rows().map(({ outcome }) => placeholdersIn(outcome?.result ?? ''))
  expect(numbers.map(({ length }) => length)).toEqual([2, 2])
  expect(new Set(numbers.flat()).size).toBe(4)
})
