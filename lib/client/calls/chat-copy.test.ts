import { describe, expect, it, vi } from 'vitest'
import type { CallActions } from '@/lib/client/chats/actions'
import { createChatCopies } from '@/lib/client/files/chat-copies'
import { viewOf } from '@/lib/client/state/open-conversations'
import { callKey } from '@/lib/client/state/state'
import { openCopy } from '@/lib/shared/calls/copy'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { createWorld } from './testing/call-world'
import { MESSAGE } from './testing/world-calls'

vi.mock('@/lib/shared/calls/call-hash', () => ({
  callHash: (...parts: unknown[]) => Promise.resolve(JSON.stringify(parts)),
  resultsMessageId: (id: string) => Promise.resolve(`results-of-${id}`),
}))

const bytes = (text: string) => new TextEncoder().encode(text)

/** Two tabs of one browser over fake files; each call writes the path that it names. */
async function world() {
  const vfs = createMemoryVfs()
  await vfs.write('/0', bytes('before'))
  const dropped: string[] = []
  /** The next call never returns. */
  const hold = { next: false }
  const copies = createChatCopies(vfs, {
    openFiles: () => createMemoryVfs({ copyOf: vfs }),
    deleteFiles: async (copyId) => void dropped.push(copyId),
  })
  const runtime: ToolRuntime = {
    vfs,
    openCopy: copies.open,
    dropCopy: copies.drop,
    async execute(_name, { path }, { copyId, origin }) {
      if (hold.next) await new Promise(() => {})
      const files = copyId === undefined ? vfs : copies.open(copyId).files
      await files.recording(origin ?? null).write(path as string, bytes('after'))
      return { status: 'completed', result: 'written', durationMs: 1, console: [], displays: [] }
    },
    dispose: () => {},
  }
  const made = await createWorld({ runtime })
  const names = async () => {
    const tree = await vfs.tree('/')
    return tree.ok ? tree.value.map(({ path }) => path) : []
  }
  const copyOf = (tab: number) => openCopy(viewOf(made.stateOf(tab)).grants)?.id ?? ''
  /** Returns the result of a tab's action after everything has settled. */
  async function act(tab: number, work: (actions: CallActions, messageId: string) => unknown): Promise<unknown> {
    let said: unknown = 'nothing'
    made.click(tab, (actions, id) => void Promise.resolve(work(actions, id)).then((answer) => (said = answer)))
    await made.settle()
    return said
  }
  const problemOf = (tab: number, slot: number) => viewOf(made.stateOf(tab)).live.get(callKey(MESSAGE, slot))?.problem
  return { ...made, vfs, names, copyOf, act, dropped, hold, problemOf }
}

const all = { kind: 'keep', paths: null, overEdits: false } as const

describe('a chat on a copy', () => {
  it('runs its calls on the copy, and keeps their changes in one step', async () => {
    const { act, names, copyOf, vfs, dropped, rows, stateOf } = await world()
    expect(await act(0, (actions, id) => actions.workOnCopy(id, [0, 1]))).toBe(null)
    expect(rows().map(({ slot, decision, by }) => [slot, decision, by.kind])).toEqual([
      [0, 'run', 'click'],
      [1, 'run', 'click'],
    ])
    expect(await names()).toEqual(['/0'])
    const copyId = copyOf(0)
    expect(await act(0, (actions) => actions.endCopy(copyId, all))).toBe(null)
    expect(await names()).toEqual(['/0', '/1'])
    expect(viewOf(stateOf(0)).grants).toMatchObject([
      { scope: { kind: 'copy', end: { kind: 'kept', changed: 2, kept: 2, leftOut: [] } } },
    ])
    const sets = await vfs.history.list()
    expect(sets.ok && sets.value.map(({ origin }) => origin.kind === 'call' && origin.slot)).toEqual([1, 0])
    expect(dropped).toEqual([copyId])
  })

  it('is decided once: the second tab is told that it was', async () => {
    const { act, names, copyOf, reload } = await world()
    await act(0, (actions, id) => actions.workOnCopy(id, [1]))
    const copyId = copyOf(0)
    reload(1)
    expect(await act(0, (actions) => actions.endCopy(copyId, { kind: 'discard' }))).toBe(null)
    expect(await act(1, (actions) => actions.endCopy(copyId, all))).toMatch(/already decided/)
    expect(await names()).toEqual(['/0'])
  })

  it('can keep some of its files', async () => {
    const { act, copyOf, names, stateOf } = await world()
    await act(0, (actions, id) => actions.workOnCopy(id, [0, 1, 2]))
    const some = { ...all, paths: new Set(['/2']) }
    expect(await act(0, (actions) => actions.endCopy(copyOf(0), some))).toBe(null)
    expect(await names()).toEqual(['/0', '/2'])
    expect(viewOf(stateOf(0)).grants[0]?.scope).toMatchObject({ end: { changed: 3, kept: 1, leftOut: ['/0', '/1'] } })
  })

  it('waits for a call that runs', async () => {
    const { act, copyOf, names, stateOf, hold } = await world()
    await act(0, (actions, id) => actions.workOnCopy(id, [1]))
    hold.next = true
    await act(0, (actions, id) => actions.run(id, [2]))
    expect(await act(0, (actions) => actions.endCopy(copyOf(0), all))).toMatch(/still runs/)
    expect([copyOf(0) !== '', await names(), viewOf(stateOf(0)).grants.length]).toEqual([true, ['/0'], 1])
  })

  it('runs no call on the files when another tab began a copy, and none on an ended copy', async () => {
    const { act, names, problemOf } = await world()
    await act(0, (actions, id) => actions.workOnCopy(id, [1]))
    await act(1, (actions, id) => actions.run(id, [0]))
    expect(problemOf(1, 0)).toMatch(/on a copy of the files/)
    expect(await names()).toEqual(['/0'])
  })
})
