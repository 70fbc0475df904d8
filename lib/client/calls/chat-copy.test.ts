import { describe, expect, it, vi } from 'vitest'
import type { CallActions, CopyBegin } from '@/lib/client/chats/actions'
import { createChatCopies } from '@/lib/client/files/chat-copies'
import { viewOf } from '@/lib/client/state/open-conversations'
import { callKey } from '@/lib/client/state/state'
import { openCopy } from '@/lib/shared/calls/copy'
import type { Grant } from '@/lib/shared/conversation/call-record'
import type { EffectsScope } from '@/lib/shared/conversation/copy-scopes'
import type { CallMark } from '@/lib/shared/origin/branch-origin'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { createWorld } from './testing/call-world'
import { MESSAGE } from './testing/world-calls'

vi.mock('@/lib/shared/calls/call-hash', () => ({
  callHash: (...parts: unknown[]) => Promise.resolve(JSON.stringify(parts)),
  argumentsHash: (...parts: unknown[]) => Promise.resolve(JSON.stringify(parts)),
  resultsMessageId: (id: string) => Promise.resolve(`results-of-${id}`),
}))

const bytes = (text: string) => new TextEncoder().encode(text)

/** Two tabs of one browser over fake files; each call writes the path that it names. */
async function world(
  options: Pick<
    NonNullable<Parameters<typeof createWorld>[0]>,
    'grants' | 'marks' | 'tools' | 'isOnCopy' | 'desks' | 'hasOtherDevices'
  > & {
    write?: string
  } = {},
) {
  const { write = 'after', ...rest } = options
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
      await files.recording(origin ?? null).write(path as string, bytes(write))
      return { status: 'completed', result: 'written', durationMs: 1, console: [], displays: [] }
    },
    dispose: () => {},
  }
  const made = await createWorld({ runtime, ...rest })
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
  const openCopyFiles = copies.open
  return { ...made, vfs, openCopyFiles, names, copyOf, act, dropped, hold, problemOf }
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

  it.each([
    ['keeps', all, ['/0', '/1', '/2']],
    ['discards', { kind: 'discard' } as const, ['/0']],
  ])('as a preview sends no result before the user %s its changes, and then once', async (_, word, files) => {
    const { act, names, copyOf, posts, stateOf } = await world({ tools: { resultGate: 'never' } })
    expect(await act(0, (actions, id) => actions.workOnCopy(id, [0, 1, 2], { isPreview: true }))).toBe(null)
    expect(viewOf(stateOf(0)).grants[0]?.scope).toEqual({ kind: 'copy', isPreview: true })
    expect(posts).toEqual([])
    expect(viewOf(stateOf(0)).heldBack.get(MESSAGE)).toMatch(/wait until you decide on the changes/)
    expect(await act(0, (actions) => actions.endCopy(copyOf(0), word))).toBe(null)
    expect(await names()).toEqual(files)
    expect(posts).toHaveLength(1)
  })

  it('as a preview goes on by Continue, and the copy stays', async () => {
    const { act, names, copyOf, posts } = await world({ tools: { resultGate: 'never' } })
    await act(0, (actions, id) => actions.workOnCopy(id, [0, 1, 2], { isPreview: true }))
    await act(0, (actions, id) => actions.notifyModel(id, 0))
    expect(posts).toHaveLength(1)
    expect([await names(), copyOf(0) !== '']).toEqual([['/0'], true])
  })

  it('begins with the first call, however it starts, if the user chose it with the message; and once', async () => {
    const { act, names, copyOf, rows, stateOf } = await world({ isOnCopy: true })
    await act(0, (actions, id) => actions.run(id, [1]))
    expect(rows().map(({ slot, by }) => [slot, by.kind])).toEqual([[1, 'click']])
    expect([await names(), copyOf(0) !== '']).toEqual([['/0'], true])
    expect(viewOf(stateOf(0)).grants.map(({ scope }) => scope)).toEqual([{ kind: 'copy', chosen: true }])
    expect(await act(0, (actions) => actions.endCopy(copyOf(0), { kind: 'discard' }))).toBe(null)
    await act(0, (actions, id) => actions.run(id, [2]))
    expect([await names(), viewOf(stateOf(0)).grants.length]).toEqual([['/0', '/2'], 1])
  })

  it('runs the calls of that message without a click, once for two tabs', async () => {
    const { act, names, copyOf, rows, stateOf, settle } = await world({ isOnCopy: true, desks: true })
    await settle()
    expect(rows().map(({ slot, decision, by }) => [slot, decision, by.kind])).toEqual([
      [0, 'run', 'grant'],
      [1, 'run', 'grant'],
      [2, 'run', 'grant'],
    ])
    expect(viewOf(stateOf(0)).grants).toHaveLength(1)
    expect(await names()).toEqual(['/0'])
    expect(await act(0, (actions) => actions.endCopy(copyOf(0), all))).toBe(null)
    expect(await names()).toEqual(['/0', '/1', '/2'])
  })

  it('runs nothing if the chosen copy can’t begin', async () => {
    const { act, names, rows, problemOf } = await world({ isOnCopy: true, tools: { requireConfirmation: true } })
    await act(0, (actions, id) => actions.run(id, [1]))
    expect([await names(), rows()]).toEqual([['/0'], []])
    expect(problemOf(0, 1)).toMatch(/copy could not be created, and nothing ran\. This chat asks before every call/)
  })

  describe('with a link for another device', () => {
    const requested = { ...all, isRequested: true } as const
    async function linked() {
      const made = await world({ hasOtherDevices: true })
      await made.act(0, (actions, id) => actions.workOnCopy(id, [1]))
      const copyId = made.copyOf(0)
      const shown = { changes: [{ path: '/1', change: 'created', size: 5, reasons: [] }], runs: 1, ms: 1 } as const
      const link = await made.ask((service, owner, id) => service.openLook(owner, id, { copyId, shown }))
      if (!link.ok) throw new Error('no link')
      const { token } = link.value
      const answer = (decision: 'run' | 'deny') =>
        made.ask((service, owner) => service.answerLook(owner, token, { decision }))
      const scopeNow = () => viewOf(made.stateOf(0)).grants[0]?.scope
      return { ...made, copyId, answer, scopeNow }
    }

    it('carries out its answer once, whichever tab learns of it', async () => {
      const { act, names, copyId, answer, scopeNow, reload } = await linked()
      expect(await answer('run')).toMatchObject({ ok: true, value: { granted: true } })
      expect(await act(0, (actions) => actions.endCopy(copyId, requested))).toBe(null)
      expect([await names(), scopeNow()]).toMatchObject([['/0', '/1'], { end: { kind: 'kept', kept: 1 } }])
      reload(1)
      expect(await act(1, (actions) => actions.endCopy(copyId, requested))).toMatch(/already kept or discarded/)
      expect(await answer('deny')).toMatchObject({ ok: true, value: { granted: false, decision: 'run' } })
    })

    it.each([
      ['deny', all],
      ['deny', { ...all, paths: new Set(['/1']) }],
      ['run', { kind: 'discard' } as const],
      ['run', { ...all, paths: new Set(['/1']) }],
    ] as const)('lets an answer that came first count: %s', async (decision, word) => {
      const { act, names, copyId, answer, scopeNow } = await linked()
      await answer(decision)
      expect(await act(0, (actions) => actions.endCopy(copyId, word))).toMatch(/already decided elsewhere/)
      expect([await names(), scopeNow()]).toEqual([['/0'], { kind: 'copy' }])
    })

    it('lets the decision here count if it came first, and carries out no answer that nobody gave', async () => {
      const { act, names, copyId, answer } = await linked()
      expect(await act(0, (actions) => actions.endCopy(copyId, { ...requested, kind: 'discard' }))).toBe(null)
      expect(await answer('run')).toMatchObject({ ok: true, value: { granted: false, decision: 'deny' } })
      expect(await names()).toEqual(['/0'])
    })

    it('never applies an answer to other changes than those shown; the user then decides here', async () => {
      const { act, names, copyId, answer, openCopyFiles } = await linked()
      await answer('run')
      const origin = { kind: 'call', messageId: MESSAGE, slot: 2, attempt: 1, tool: 'write_file' } as const
      await openCopyFiles(copyId).files.recording(origin).write('/2', bytes('more'))
      expect(await act(0, (actions) => actions.endCopy(copyId, requested))).toMatch(/decided on earlier changes/)
      expect(await names()).toEqual(['/0'])
      expect(await act(0, (actions) => actions.endCopy(copyId, { kind: 'discard' }))).toBe(null)
      expect(await answer('run')).toMatchObject({ ok: true, value: { granted: false, decision: 'deny' } })
    })

    it('learns that the copy was discarded elsewhere, before the files change', async () => {
      const { act, names, copyId, ask } = await linked()
      const end = { kind: 'discarded', changed: 0, kept: 0, leftOut: [] } as const
      await ask((service, owner, id) => service.endCopy(owner, id, copyId, end))
      expect(await act(0, (actions) => actions.endCopy(copyId, all))).toMatch(/already kept or discarded/)
      expect(await names()).toEqual(['/0'])
    })
  })

  it('is decided once: the second tab learns of the decision', async () => {
    const { act, names, copyOf, reload } = await world()
    await act(0, (actions, id) => actions.workOnCopy(id, [1]))
    const copyId = copyOf(0)
    reload(1)
    expect(await act(0, (actions) => actions.endCopy(copyId, { kind: 'discard' }))).toBe(null)
    expect(await act(1, (actions) => actions.endCopy(copyId, all))).toMatch(/already kept or discarded/)
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

describe('a chat under a kept approval of changes', () => {
  const effects = (over: Partial<EffectsScope> = {}, more: Partial<Grant> = {}): Grant => ({
    id: 'e1',
    scope: {
      kind: 'effects',
      folders: ['/'],
      changes: ['created', 'changed'],
      maxFiles: 3,
      maxBytes: 100,
      runs: 2,
      ...over,
    },
    createdAt: 1,
    uses: 0,
    lastUsedAt: null,
    revokedAt: null,
    ...more,
  })
  const byGrant = { kind: 'by-grant' } as const
  const under = (by: CopyBegin['by'] = new Map()): CopyBegin => ({ under: 'e1', by })
  async function begun(
    slots: readonly number[],
    over: Partial<EffectsScope> = {},
    options: Parameters<typeof world>[0] = {},
  ) {
    const made = await world({ grants: [effects(over)], ...options })
    expect(await made.act(0, (actions, id) => actions.workOnCopy(id, slots, under()))).toBe(null)
    const grantsOf = (tab: number) => viewOf(made.stateOf(tab)).grants
    return { ...made, copyId: made.copyOf(0), grantsOf }
  }

  it('runs its calls on a copy without a click, keeps the copy by itself, and counts it once in two tabs', async () => {
    const { act, names, rows, copyId, grantsOf, reload, grants } = await begun([1, 2])
    expect(rows().map(({ by }) => by)).toEqual([1, 2].map(() => ({ kind: 'grant', grantId: copyId })))
    reload(1)
    const both = await Promise.all([0, 1].map((tab) => act(tab, (actions) => actions.endCopy(copyId, byGrant))))
    expect(both[0]).toBe(null)
    expect(await names()).toEqual(['/0', '/1', '/2'])
    expect(grantsOf(0)).toMatchObject([
      { id: 'e1', uses: 1 },
      { scope: { kind: 'copy', under: 'e1', end: { kind: 'kept', kept: 2, by: 'grant' } } },
    ])
    expect(grants.get('e1')).toMatchObject({ uses: 1 })
  })

  it('runs calls of another rule by that rule', async () => {
    const { act, rows, copyOf } = await world({ grants: [effects()], tools: { mode: 'auto' } })
    const by = under(new Map([[0, { kind: 'auto' }]]))
    await act(0, (actions, id) => actions.workOnCopy(id, [0, 1], by))
    expect(rows().map((row) => row.by)).toEqual([{ kind: 'auto' }, { kind: 'grant', grantId: copyOf(0) }])
  })

  it.each<[string, Partial<EffectsScope>, RegExp]>([
    ['a kind of change', { changes: ['created'] }, /0.* is changed/],
    ['a folder', { folders: ['/src'] }, /2 files are outside its folders/],
    ['the number of files', { maxFiles: 1 }, /It changes 2 files; 1 is allowed/],
    ['their size', { maxBytes: 9 }, /The files have 10 B; 9 B are allowed/],
  ])(
    'holds changes that exceed it by %s, asks the server nothing, and the user may keep them',
    async (_, over, words) => {
      const { act, names, copyId, grantsOf } = await begun([0, 1], over)
      expect(await act(0, (actions) => actions.endCopy(copyId, byGrant))).toMatch(words)
      expect([await names(), grantsOf(0).map(({ uses }) => uses)]).toEqual([['/0'], [0, 2]])
      expect(await act(0, (actions) => actions.endCopy(copyId, all))).toBe(null)
      expect(await names()).toEqual(['/0', '/1'])
      expect(grantsOf(0)[1]?.scope).not.toMatchObject({ end: { by: 'grant' } })
    },
  )

  it('holds files edited beside the copy, and changes that a text asked for', async () => {
    const edited = await begun([0])
    await edited.vfs.recording({ kind: 'user', action: 'edited', messageId: null }).write('/0', bytes('mine'))
    expect(await edited.act(0, (actions) => actions.endCopy(edited.copyId, byGrant))).toMatch(/You edited files/)
    const mark = { loud: { why: 'wish' }, values: [] } as unknown as CallMark
    const asked = await begun([0], {}, { marks: () => Promise.resolve(new Map([[1, mark]])) })
    await asked.act(0, (actions, id) => actions.run(id, [1]))
    expect(await asked.act(0, (actions) => actions.endCopy(asked.copyId, byGrant))).toMatch(
      /A text in the chat asked for the call/,
    )
    expect(await asked.names()).toEqual(['/0'])
  })

  it('holds what the server refuses: the grant was revoked in another tab', async () => {
    const { act, copyId, names } = await begun([1])
    await act(1, (actions) => actions.revokeGrant('e1'))
    expect(await act(0, (actions) => actions.endCopy(copyId, byGrant))).toMatch(/No saved approval covers this copy/)
    expect(await names()).toEqual(['/0'])
  })

  it('ends a copy that changed nothing, without a notice', async () => {
    const { act, copyId, vfs, grantsOf } = await begun([0], {}, { write: 'before' })
    expect(await act(0, (actions) => actions.endCopy(copyId, byGrant))).toBe(null)
    expect(grantsOf(0)[1]?.scope).toMatchObject({ end: { kind: 'discarded', changed: 0 } })
    expect(await vfs.history.list()).toMatchObject({ value: [] })
  })

  it('continues if the page died after the server had counted, or after the files had changed', async () => {
    for (const isInFiles of [false, true]) {
      const made = await begun([1])
      const { act, copyId, names, grantsOf, openCopyFiles } = made
      const effect = { path: '/1', change: 'created', size: 5 } as const
      await made.ask((service, owner, id) => service.endCopy(owner, id, copyId, { kind: 'allow', effects: [effect] }))
      if (isInFiles) expect(await openCopyFiles(copyId).keep(null)).toMatchObject({ ok: true })
      made.crash(0)
      made.reload(1)
      expect(await act(1, (actions) => actions.endCopy(copyId, byGrant))).toBe(null)
      expect(await names()).toEqual(['/0', '/1'])
      expect(grantsOf(1)).toMatchObject([{ uses: 1 }, { scope: { end: { kept: 1, by: 'grant' } } }])
    }
  })
})
