import { describe, expect, it } from 'vitest'
import { err, ok } from '@/lib/base/result'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import type { Preset, PresetToAdd } from '@/lib/shared/conversation/settings/preset'
import type { ApiAnswer } from './api-failure'
import { createPresetList, type PresetApi } from './preset-list'

const setup = { ...defaultSettings('demo/demo'), model: null }
const away = () =>
  err({ code: 'unavailable' as const, status: 503, reason: 'x', values: {}, message: 'The server cannot be reached.' })

/** A server with one owner, and a list that talks to it. */
function world() {
  let rows: Preset[] = []
  let isAway = false
  let made = 0
  let announced = 0
  let later: (() => void) | null = null
  const answer = <T>(value: () => T): Promise<ApiAnswer<T>> => Promise.resolve(isAway ? away() : ok(value()))
  const inOrder = () => rows.toSorted((a, b) => a.position - b.position)
  const api: PresetApi = {
    list: () => answer(inOrder),
    add: ({ position = rows.length + 1, ...rest }: PresetToAdd) =>
      answer(() => {
        const row = { ...rest, position }
        rows = [...rows, row]
        return row
      }),
    change: (id, change) =>
      answer(() => {
        rows = rows.map((row) => (row.id === id ? { ...row, ...change } : row))
        return rows[0] as Preset
      }),
    remove: (id) =>
      answer(() => {
        rows = rows.filter((row) => row.id !== id)
        return null
      }),
    order: (ids) =>
      answer(() => {
        rows = rows.map((row) => ({ ...row, position: ids.indexOf(row.id) + 1 }))
        return inOrder()
      }),
    setNewChats: () => answer(() => ({})),
  }
  const list = createPresetList({
    api,
    newId: () => `p${(made += 1)}`,
    schedule(task) {
      later = task
      return () => (later = null)
    },
    announce: () => (announced += 1),
  })
  return {
    list,
    names: () => list.getState().presets?.map(({ name }) => name),
    goAway: (is: boolean) => (isAway = is),
    announced: () => announced,
    pass: () => later?.(),
  }
}

describe('the presets of a page', () => {
  it('match the server after each change, and other tabs are notified', async () => {
    const { list, names, announced } = world()
    await list.load()
    expect(names()).toEqual([])
    for (const name of ['a', 'b', 'c']) expect(await list.add(name, { setup })).toBe(true)
    expect(await list.move('p3', -1)).toBe(true)
    expect(await list.move('p1', -1)).toBe(false)
    expect(await list.change('p2', { name: 'B' })).toBe(true)
    expect(names()).toEqual(['a', 'c', 'B'])
    expect(announced()).toBe(5)
  })

  it('return to their place when a deletion is undone, as long as that is offered', async () => {
    const { list, names, pass } = world()
    for (const name of ['a', 'b', 'c']) await list.add(name, { setup })
    const [, b, c] = list.getState().presets ?? []
    await list.remove(b as Preset)
    expect(list.getState().deleted?.name).toBe('b')
    expect(await list.undo()).toBe(true)
    expect(names()).toEqual(['a', 'b', 'c'])
    expect(list.getState().deleted).toBeNull()
    await list.remove(c as Preset)
    pass()
    expect(list.getState().deleted).toBeNull()
    expect(await list.undo()).toBe(false)
  })

  it('stay unchanged while the server is away, and a problem is shown', async () => {
    const { list, names, goAway } = world()
    await list.add('a', { setup })
    goAway(true)
    const [a] = list.getState().presets ?? []
    expect(await list.remove(a as Preset)).toBe(false)
    expect(await list.add('b', { setup })).toBe(false)
    expect(list.getState()).toMatchObject({ problem: 'The server cannot be reached.', deleted: null })
    expect(names()).toEqual(['a'])
    goAway(false)
    expect(await list.change('p1', { name: 'A' })).toBe(true)
    expect(list.getState().problem).toBeNull()
  })
})
