import { describe, expect, test } from 'vitest'
import type { ChangeOrigin, ChangeSet, NodeImage, PathChange } from '../vfs-history'
import {
  emptyLog,
  forgetOldest,
  imagesOf,
  planHistoryMove,
  record,
  type ChangeLog,
  type TreeReader,
} from './change-log'

const file = (version: string): NodeImage => ({ kind: 'file', size: version.length, version })
const folder: NodeImage = { kind: 'directory' }
const call = (messageId: string): ChangeOrigin => ({ kind: 'call', messageId, slot: 0, attempt: 1, tool: 't' })
const user: ChangeOrigin = { kind: 'user', action: 'edited', messageId: null }
const change = (path: string, before: NodeImage, after: NodeImage): PathChange => ({ path, before, after })

const look = (nodes: Readonly<Record<string, NodeImage>>): TreeReader => ({
  imageAt: (path) => nodes[path] ?? null,
  inside: (path) => Object.keys(nodes).filter((other) => other.slice(0, other.lastIndexOf('/')) === path),
})
const undo = (...ids: number[]) => {
  return (set: ChangeSet) => (ids.includes(set.id) ? { ...set, undone: true } : set)
}
const build = (...steps: readonly (readonly [ChangeOrigin | null, ...PathChange[]])[]): ChangeLog =>
  steps.reduce((log, [origin, ...changes]) => record(log, origin, changes, 7), emptyLog)

describe('recording', () => {
  test('gives the same log for changes without effect, and for unrecorded ones of unknown paths', () => {
    const log = build([user, change('/a', null, file('1'))])
    expect(record(log, user, [change('/b', file('2'), file('2'))], 8)).toBe(log)
    expect(record(log, user, [change('/d', folder, { kind: 'directory' })], 8)).toBe(log)
    expect(record(log, null, [change('/b', null, file('2'))], 8)).toBe(log)
    expect(record(emptyLog, null, [change('/b', null, file('2'))], 8)).toBe(emptyLog)
  })

  test('keeps the oldest before and the newest after when sets join, and the time of the last', () => {
    const log = record(build([call('m'), change('/a', null, file('1'))]), call('m'), [change('/a', file('1'), null)], 9)
    expect(log.sets).toEqual([])
    const grown = record(
      build([call('m'), change('/b', file('0'), file('1'))]),
      call('m'),
      [change('/b', file('1'), file('22')), change('/a', null, folder)],
      9,
    )
    expect(grown.sets).toMatchObject([
      { id: 1, at: 9, changes: [change('/a', null, folder), change('/b', file('0'), file('22'))] },
    ])
  })

  test('does not join an undone set', () => {
    const log = planHistoryMove(
      build([call('m'), change('/a', null, file('1'))]),
      undo(1),
      look({ '/a': file('1') }),
    ).log
    expect(record(log, call('m'), [change('/b', null, file('2'))], 8).sets.map(({ id }) => id)).toEqual([1, 2])
  })
})

describe('forgetting', () => {
  test('leaves an empty log unchanged', () => expect(forgetOldest(emptyLog)).toBe(emptyLog))

  test('keeps only contents that some move could restore', () => {
    const log = build([call('a'), change('/a', file('0'), file('1'))], [call('b'), change('/b', null, file('2'))])
    expect([...imagesOf(log)]).toEqual([file('0'), file('1'), null, file('2')])
    expect([...imagesOf(forgetOldest(log))]).toEqual([null, file('2')])
    expect([...imagesOf(forgetOldest(forgetOldest(log)))]).toEqual([])
  })

  test('never restores what an unrecorded change removed', () => {
    const log = build(
      [call('a'), change('/a', null, file('1'))],
      [null, change('/a', file('1'), file('2'))],
      [call('b'), change('/a', file('2'), file('3'))],
    )
    const plan = planHistoryMove(forgetOldest(log), undo(3), look({ '/a': file('3') }))
    expect(plan.steps).toEqual([{ kind: 'file', path: '/a', image: file('2') }])
  })
})

describe('planning a move', () => {
  const log = build([
    call('a'),
    change('/d', null, folder),
    change('/d/x', null, file('1')),
    change('/old', file('0'), null),
  ])

  test('removes from the deepest up, then creates from the top down', () => {
    const undone = planHistoryMove(log, undo(1), look({ '/d': folder, '/d/x': file('1') }))
    expect(undone.steps).toEqual([
      { kind: 'remove', path: '/d/x' },
      { kind: 'remove', path: '/d' },
      { kind: 'file', path: '/old', image: file('0') },
    ])
    const redone = planHistoryMove(undone.log, (set) => ({ ...set, undone: false }), look({ '/old': file('0') }))
    expect(redone.steps).toEqual([
      { kind: 'remove', path: '/old' },
      { kind: 'directory', path: '/d' },
      { kind: 'file', path: '/d/x', image: file('1') },
    ])
  })

  test('leaves a file alone that differs from the log', () => {
    const plan = planHistoryMove(log, undo(1), look({ '/d': folder, '/d/x': file('other') }))
    expect(plan.move).toEqual({ changed: ['/old'], kept: [{ path: '/d/x', why: 'changed-later' }] })
  })

  test('changes nothing if no flag changes', () => {
    expect(planHistoryMove(log, (set) => set, look({})).steps).toEqual([])
    expect(planHistoryMove(log, undo(4), look({})).move).toEqual({ changed: [], kept: [] })
  })

  test('walks a long log as often as a short one', () => {
    /** How often a plan that undoes all but the first of this many sets reads a change. */
    const looks = (sets: number): number => {
      let count = 0
      const counted = (one: PathChange): PathChange => ({
        ...one,
        get path() {
          count += 1
          return one.path
        },
      })
      const paths = Array.from({ length: 40 }, (_, n) => `/f${n}`)
      const long = Array.from({ length: sets }, (_, at) => at).reduce(
        (before, at) =>
          record(
            before,
            call(`m${at}`),
            paths.map((path) => change(path, file(`${at}`), file(`${at + 1}`))),
            at,
          ),
        emptyLog,
      )
      const watched = { ...long, sets: long.sets.map((set) => ({ ...set, changes: set.changes.map(counted) })) }
      const now = look(Object.fromEntries(paths.map((path) => [path, file(`${sets}`)])))
      count = 0
      expect(planHistoryMove(watched, undo(...long.sets.slice(1).map(({ id }) => id)), now).steps).toHaveLength(40)
      return count
    }
    expect(looks(50)).toBeGreaterThan(50 * 40)
    expect(looks(500)).toBeLessThan(looks(50) * 12)
  })
})
