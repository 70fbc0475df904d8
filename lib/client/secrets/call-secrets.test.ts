import { IDBFactory } from 'fake-indexeddb'
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'
import { findInTexts } from '@/lib/shared/secrets/find-secrets'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import { databaseName, deleteVfs } from '@/lib/vfs/indexeddb/database'
import { createCallSecrets, type CallPlace } from './call-secrets'
import { createMemoryVault, createSecretVault, type SecretVault } from './vault'

const anyLane = { above: 0, lane: 0, of: 1 }
const key = ['sk-ant-', 'api03-', 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA'].join('')
const mail = 'anna.meyer@mail.example'

const outcome = (result: JsonValue, more: Partial<CallOutcome> = {}): CallOutcome => ({
  status: 'completed',
  result,
  durationMs: 1,
  console: [],
  displays: [],
  ...more,
})
const place = (args: JsonObject = {}, more: Partial<CallPlace> = {}): CallPlace => ({
  conversationId: 'c',
  messageId: 'r1',
  path: ['m1', 'r1'],
  call: { name: 'write_file', arguments: args },
  ...more,
})

function world(vault: SecretVault = createMemoryVault(), config: Partial<ToolCallConfig> = {}) {
  const secrets = createCallSecrets(
    () => vault,
    (texts, kinds) => findInTexts(texts, () => Promise.resolve(), kinds),
  )
  const rules = {
    tool: builtIn.get('read_file'),
    config: { ...defaultToolConfig, resultGate: 'never' as const, ...config },
  }
  return {
    vault,
    secrets,
    seal: (one: CallOutcome, at = place(), highest = 0) =>
      secrets.seal(at, one, { ...rules, lane: () => ({ above: highest, lane: 0, of: 1 }) }),
  }
}

describe('an outcome', () => {
  it('without secrets is returned unchanged, and does not wait', async () => {
    const { seal } = world()
    const plain = outcome({ content: 'nothing here' })
    expect(await seal(plain)).toEqual({ outcome: plain, hold: false })
  })

  it('contains no key in any of its texts, and waits for review', async () => {
    const { seal } = world()
    const sealed = await seal(
      outcome(
        { content: `key=${key}`, [key]: [1, { deep: `<${key}>` }] },
        {
          console: [{ level: 'log', text: key, atMs: 1 }],
          displays: [
            { kind: 'html', data: `<b>${key}</b>`, name: key },
            { kind: 'image', data: 'data:image/png;base64,iVBOR' },
          ],
          files: { kept: true, total: 1, changes: [{ path: `/${key}.txt`, change: 'created', kind: 'file', size: 1 }] },
          said: [{ reason: 'told.failed-oddly', values: { why: key } }],
        },
      ),
    )
    expect(JSON.stringify(sealed)).not.toContain(key)
    expect(sealed.hold).toBe(true)
    expect(sealed.outcome.result).toEqual({
      content: 'key=⟦secret-1⟧',
      '⟦secret-1⟧': [1, { deep: '<⟦secret-1⟧>' }],
    })
    expect(sealed.outcome.displays[1]).toEqual({ kind: 'image', data: 'data:image/png;base64,iVBOR' })
  })

  it.each<[string, Partial<ToolCallConfig>, boolean]>([
    ['keeps mail addresses where nobody looks at it', {}, false],
    ['has them replaced where the user looks at every result', { resultGate: 'always' }, true],
  ])('%s', async (_name, config, isReplaced) => {
    const sealed = await world(createMemoryVault(), config).seal(outcome(`to ${mail}`))
    expect(sealed).toMatchObject({ hold: isReplaced, outcome: { result: isReplaced ? 'to ⟦secret-1⟧' : `to ${mail}` } })
  })

  it('gets a placeholder for an object member whose name marks it as secret', async () => {
    const sealed = await world().seal(outcome({ user: 'anna', password: 'correct-horse' }))
    expect(sealed.outcome.result).toEqual({ user: 'anna', password: '⟦secret-1⟧' })
  })

  it('gets the same placeholder for the same value, without a second look', async () => {
    const { seal } = world()
    await seal(outcome(`a ${key}`))
    const again = await seal(outcome(`b ${key}`), place({}, { messageId: 'r2' }))
    expect(again).toMatchObject({ hold: false, outcome: { result: 'b ⟦secret-1⟧' } })
  })

  it.each<[string, (value: string) => string]>([
    ['in JSON', (value) => JSON.stringify({ value })],
    ['in an address', (value) => `https://a.example/?k=${encodeURIComponent(value)}`],
    ['in Base64', (value) => btoa(value)],
    ['in capitals', (value) => value.toUpperCase()],
    ['in small letters', (value) => value.toLowerCase()],
  ])('gets a placeholder for a known value that a tool echoes %s', async (_name, spell) => {
    const { seal } = world(createMemoryVault(), { resultGate: 'always' })
    const pem = `-----BEGIN PRIVATE KEY-----\n${key}\n${key}\n-----END PRIVATE KEY-----`
    for (const value of [key, mail, pem]) await seal(outcome(value))
    for (const [index, value] of [key, mail, pem].entries()) {
      const { result } = (await seal(outcome(`echo ${spell(value)}`))).outcome
      expect(result).toContain(`⟦secret-${index + 1}⟧`)
      expect(result).not.toContain(spell(value))
    }
  })

  it('gets a placeholder for a known card number without its spaces', async () => {
    const { seal } = world(createMemoryVault(), { resultGate: 'always' })
    await seal(outcome('4111 1111 1111 1111'))
    expect((await seal(outcome({ card: '4111111111111111' }))).outcome.result).toEqual({ card: '⟦secret-1⟧' })
  })

  it('gets numbers above those that another browser used in the chat', async () => {
    expect((await world().seal(outcome(key), place(), 7)).outcome.result).toBe('⟦secret-8⟧')
  })

  it.each([2, 3, 7])('of %i calls of a reply never gets a number of another, on different devices', async (of) => {
    const given: string[] = []
    for (let slot = 0; slot < of; slot += 1) {
      const vault = createMemoryVault()
      const found = [1, 2, 3].map((n) => ({ value: `value-${slot}-${n}`, kind: 'key' as const }))
      const kept = await vault.keep(found, 'r1', { above: 5, lane: (slot + 1) % of, of })
      given.push(...kept.map(({ number }) => `${number}`))
      expect(kept.every(({ number }) => number > 5)).toBe(true)
    }
    expect(new Set(given).size).toBe(3 * of)
  })

  it('that failed waits too; the text of a stopped call does not', async () => {
    const { seal } = world()
    expect((await seal(outcome({ error: key }, { status: 'error' }))).hold).toBe(true)
    expect(await seal(outcome({ error: `${key}1` }, { status: 'cancelled' }))).toMatchObject({ hold: false })
  })

  it('keeps a value that the user let the model see', async () => {
    const { seal, vault } = world()
    await seal(outcome(key))
    await vault.show([1])
    expect(await seal(outcome(key))).toEqual({ outcome: outcome(key), hold: false })
  })

  it('of a question to the user is not searched', async () => {
    const { secrets } = world()
    const rules = { tool: builtIn.get('ask_user'), config: defaultToolConfig, lane: () => anyLane }
    expect((await secrets.seal(place(), outcome({ answer: key }), rules)).outcome.result).toEqual({ answer: key })
  })
})

describe('arguments', () => {
  async function known() {
    const made = world()
    await made.seal(outcome(`${key} and password: hunter2-Xyz9`))
    return made.secrets
  }

  it('get the values of their placeholders at any depth', async () => {
    const args = { path: '/a', content: 'x ⟦secret-1⟧ ⟦secret-2⟧', list: [{ '⟦secret-1⟧': '〚 secret-1 〛' }] }
    expect(await (await known()).fill(place(args))).toEqual({
      ok: true,
      value: { path: '/a', content: `x ${key} hunter2-Xyz9`, list: [{ [key]: key }] },
    })
  })

  it('without placeholders are returned unchanged', async () => {
    const args = { content: '[secret-1] secret-1' }
    const filled = await (await known()).fill(place(args))
    expect(filled.ok && filled.value).toBe(args)
  })

  it.each<[string, Partial<CallPlace>, RegExp]>([
    ['another branch', { path: ['m1', 'r0'] }, /⟦secret-1⟧ has no value in this browser/],
    ['a server that Nod’s server calls', { isRelayed: true }, /goes through Nod’s server/],
    [
      'a memory',
      { call: { name: 'edit_memory', arguments: { text: '⟦secret-1⟧' } } },
      /Memory is stored on the server/,
    ],
    [
      'a number that was never given',
      { call: { name: 'x', arguments: { a: '⟦secret-9⟧' } } },
      /⟦secret-9⟧ has no value/,
    ],
  ])('of %s are refused with a sentence', async (_name, more, sentence) => {
    const filled = await (await known()).fill(place({ a: '⟦secret-1⟧' }, more))
    expect(filled).toEqual({ ok: false, error: expect.stringMatching(sentence) as string })
  })

  it('that the user changed get placeholders for known values', async () => {
    const hidden = await (await known()).hide('c', { name: 'write_file', arguments: { content: `x${key}` } })
    expect(hidden).toEqual({ name: 'write_file', arguments: { content: 'x⟦secret-1⟧' } })
  })
})

describe('values in the browser’s storage', () => {
  const stored = (factory: IDBFactory) => createSecretVault(() => factory, databaseName('c', 'secrets'))
  const value = (text: string) => ({ value: text, kind: 'key' as const })

  it('remain after the page closes, and are deleted with the files of the chat', async () => {
    const indexedDB = new IDBFactory()
    await stored(indexedDB).keep([value('one-value')], 'r1', anyLane)
    expect(await stored(indexedDB).list()).toMatchObject([{ number: 1, value: 'one-value', replies: ['r1'] }])
    await deleteVfs('c', { indexedDB })
    expect(await indexedDB.databases()).toEqual([])
    expect(await stored(indexedDB).list()).toEqual([])
  })

  it('never share a number when several tabs find values at the same time', async () => {
    const factory = new IDBFactory()
    const tabs = [stored(factory), stored(factory), stored(factory)]
    const finds = Array.from({ length: 4 }, (_, n) =>
      tabs.map((tab, at) => tab.keep([value(`value-${(3 * n + at) % 8}`)], `r${n}-${at}`, anyLane)),
    )
    await Promise.all(finds.flat())
    const rows = await stored(factory).list()
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(new Set(rows.map((row) => row.value)).size).toBe(8)
  })

  it('are kept in memory if the browser refuses storage', async () => {
    const refusing = {
      open: () => {
        throw new Error('denied')
      },
    } as unknown as IDBFactory
    const vault = createSecretVault(() => refusing, 'x')
    const { seal, secrets } = world(vault)
    expect((await seal(outcome(key))).outcome.result).toBe('⟦secret-1⟧')
    expect(await secrets.fill(place({ a: '⟦secret-1⟧' }))).toEqual({ ok: true, value: { a: key } })
  })
})
