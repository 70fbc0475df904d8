// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { buildTree } from '@/lib/client/files/tree/tree-rows'
import { createFileActions } from './file-actions'
import { NoticeLine, type FileNotice } from './notice'

afterEach(cleanup)

/** Two files, large enough for a progress bar. */
const big = (path: string) => ({ path, file: new File([new Uint8Array(3_000_000)], path) })

function setUp(onTold: (notice: FileNotice | null) => void = () => {}) {
  const vfs = createMemoryVfs()
  const told: (FileNotice | null)[] = []
  const actions = createFileActions({
    vfs,
    tree: buildTree([]),
    messageId: null,
    onMoved: () => {},
    say: (notice) => {
      told.push(notice)
      onTold(notice)
    },
  })
  return { vfs, told, actions }
}

it('shows how much of an upload is read, and writes nothing after a cancel', async () => {
  const { vfs, told, actions } = setUp()
  const whole = await actions.upload('/', [big('a.bin'), big('b.bin')])
  expect(whole).toEqual(['/a.bin', '/b.bin'])
  const bars = told.flatMap((notice) => notice?.progress ?? [])
  expect(bars.map(({ done, of }) => [done, of])).toEqual([
    [0, 6_000_000],
    [3_000_000, 6_000_000],
    [6_000_000, 6_000_000],
  ])
  // Writing can't be cancelled.
  expect(bars.map(({ stop }) => stop === null)).toEqual([false, false, true])

  const ended = setUp((notice) => notice?.progress?.stop?.())
  expect(await ended.actions.upload('/', [big('a.bin'), big('b.bin')])).toEqual([])
  expect(ended.told.at(-1)?.words).toBe('Stopped. Nothing was uploaded.')
  expect((await ended.vfs.usage()).files).toBe(0)
  expect((await vfs.usage()).files).toBe(2)
})

it('shows the progress bar in the notice line, with Cancel while that is possible', () => {
  const stop = vi.fn<() => void>()
  const notice = { tone: 'said', words: 'Reading', progress: { done: 1, of: 4, stop } } as const
  const view = render(<NoticeLine notice={notice} onDismiss={() => {}} />)
  expect(screen.getByRole<HTMLProgressElement>('progressbar', { name: 'Reading' }).value).toBe(1)
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(stop).toHaveBeenCalledTimes(1)
  view.rerender(<NoticeLine notice={{ ...notice, progress: { done: 4, of: 4, stop: null } }} onDismiss={() => {}} />)
  expect(screen.queryByRole('button')).toBeNull()
})
