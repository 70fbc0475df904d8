import { emptyView } from '@/lib/client/state/state'
import { describe, expect, it } from 'vitest'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { Vfs } from '@/lib/vfs/vfs'
import { interruptedOutcome } from './save-outcome'
import { recordedChanges } from '@/lib/client/files/history/change-groups'
import { call } from './testing/world-calls'

const bytes = (text: string) => new TextEncoder().encode(text)
const origin = (attempt = 1) => ({ kind: 'call', messageId: 'm1', slot: 0, attempt, tool: 'write_file' }) as const
const target = (name: string) => ({
  slot: 0,
  call: call(0, { name }),
  runnable: true,
  asked: null,
  changed: false,
  promoted: false,
})
const at = { conversationId: 'c1', messageId: 'm1', view: () => emptyView }

const portsWith = (vfs: Vfs | null) => ({
  wait: () => new Promise<void>(() => {}),
  runtime: () =>
    vfs === null
      ? Promise.reject<ToolRuntime>(new Error('no files here'))
      : Promise.resolve({
          vfs,
          filesAtTheEnd: (name: string) => name === 'browser_js_eval',
          execute: () => Promise.reject(new Error('unused')),
          dispose: () => {},
        }),
})
const told = async (vfs: Vfs | null, name: string) =>
  interruptedOutcome(portsWith(vfs), at, { target: target(name), attempt: 1, wasStopped: false })

describe('the outcome of an attempt whose page is gone', () => {
  it('lists the changes that the files recorded', async () => {
    const vfs = createMemoryVfs()
    await vfs.recording(origin()).write('/d/a', bytes('a'))
    await vfs.recording(origin(2)).write('/b', bytes('b'))
    expect(await told(vfs, 'browser_js_eval')).toMatchObject({
      status: 'interrupted',
      result: {
        error: expect.stringContaining('these changes stand') as string,
        files: ['created /d', 'created /d/a'],
      },
      files: { kept: true, total: 2 },
    })
  })

  it('says that nothing was kept, if changes are made in one final step and there are none', async () => {
    const outcome = await told(createMemoryVfs(), 'browser_js_eval')
    expect(outcome.result).toEqual({
      error: 'The page was closed or reloaded while this ran. None of its changes to files were kept.',
    })
    expect(outcome.files).toBeUndefined()
  })

  it('says that it is unknown whether a tool server ran it, and that it was not sent again', async () => {
    const attempt = { target: target('maps_find'), attempt: 1, wasStopped: false, host: 'maps.example.com' }
    expect(await interruptedOutcome(portsWith(createMemoryVfs()), at, attempt)).toMatchObject({
      status: 'interrupted',
      result: {
        error:
          'The page was closed or reloaded while this ran. It is not known whether maps.example.com ran it. It was not sent again.',
      },
    })
  })

  it('says that files may have changed, for another tool, or if the files can’t be read or hang', async () => {
    const may = { error: expect.stringContaining('It may have changed files before it stopped.') as string }
    expect(await told(createMemoryVfs(), 'write_file')).toMatchObject({ result: may })
    expect(await told(null, 'browser_js_eval')).toMatchObject({ result: may })
    const hanging = { wait: () => Promise.resolve(), runtime: () => new Promise<ToolRuntime>(() => {}) }
    expect(
      await interruptedOutcome(hanging, at, { target: target('browser_js_eval'), attempt: 1, wasStopped: false }),
    ).toMatchObject({
      result: may,
    })
  })

  it('says that the user stopped it, if so', async () => {
    const vfs = createMemoryVfs()
    const asked = { target: target('browser_js_eval'), attempt: 1, wasStopped: true }
    expect(await interruptedOutcome(portsWith(vfs), at, asked)).toMatchObject({
      status: 'cancelled',
      result: { error: 'The user stopped this call while it ran. None of its changes to files were kept.' },
    })
    await vfs.recording(origin()).write('/a', bytes('a'))
    expect(await interruptedOutcome(portsWith(vfs), at, asked)).toMatchObject({
      status: 'cancelled',
      result: { error: expect.stringContaining('these changes stand') as string, files: ['created /a'] },
    })
  })

  it('merges the change sets of one attempt, without what was undone', async () => {
    const vfs = createMemoryVfs()
    const mine = vfs.recording(origin())
    await mine.write('/a', bytes('one'))
    await vfs.recording({ kind: 'user', action: 'edited', messageId: null }).write('/a', bytes('mine'))
    await mine.write('/a', bytes('again'))
    const attempt = { messageId: 'm1', slot: 0, attempt: 1, wasStopped: false }
    expect(await recordedChanges(vfs, attempt)).toEqual({
      kept: true,
      changes: [{ path: '/a', change: 'created', kind: 'file', size: 5 }],
      total: 1,
    })
    await vfs.history.setUndone([1, 3], true)
    expect(await recordedChanges(vfs, attempt)).toBeNull()
  })
})
