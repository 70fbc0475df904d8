// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { doerOf, useCommand, useWorkspaceCommands, wishFor } from './commands'

afterEach(() => {
  cleanup()
  wishFor(null)
})

it('asks the last one who can, as it is now', () => {
  const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()]
  renderHook(() => useCommand('latest', first))
  const { rerender, unmount } = renderHook(({ can }) => useCommand('latest', second, can), {
    initialProps: { can: true },
  })
  doerOf('latest')?.()
  rerender({ can: false })
  doerOf('latest')?.()
  expect([first, second].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
  unmount()
  cleanup()
  expect(doerOf('latest')).toBeUndefined()
})

it('leaves what is wished for to the part that is opened for it, once', () => {
  const opened = vi.fn<() => void>()
  const did = vi.fn<(command: string) => void>()
  const opener = renderHook(
    ({ isOpen }) =>
      useWorkspaceCommands((command) => {
        wishFor(command)
        opened()
      }, !isOpen),
    { initialProps: { isOpen: false } },
  )
  doerOf('download-zip')?.()
  expect(opened).toHaveBeenCalledTimes(1)
  opener.rerender({ isOpen: true })
  const panel = renderHook(() => useWorkspaceCommands(did))
  expect(did).toHaveBeenCalledExactlyOnceWith('download-zip')
  panel.unmount()
  renderHook(() => useWorkspaceCommands(did))
  expect(did).toHaveBeenCalledTimes(1)
  doerOf('new-file')?.()
  expect(did).toHaveBeenLastCalledWith('new-file')
  expect(opened).toHaveBeenCalledTimes(1)
})

it('forgets a wish that came to nothing', () => {
  const did = vi.fn<() => void>()
  wishFor('new-file')
  wishFor(null)
  renderHook(() => useCommand('new-file', did))
  expect(did).not.toHaveBeenCalled()
})
