// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { getCommandHandler, useCommand, useWorkspaceCommands, requestPanel } from './commands'

afterEach(() => {
  cleanup()
  requestPanel(null)
})

it('runs the latest handler with its current function', () => {
  const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()]
  renderHook(() => useCommand('latest', first))
  const { rerender, unmount } = renderHook(({ can }) => useCommand('latest', second, can), {
    initialProps: { can: true },
  })
  getCommandHandler('latest')?.()
  rerender({ can: false })
  getCommandHandler('latest')?.()
  expect([first, second].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
  unmount()
  cleanup()
  expect(getCommandHandler('latest')).toBeUndefined()
})

it('passes a request on once to the panel that opens for it', () => {
  const opened = vi.fn<() => void>()
  const did = vi.fn<(command: string) => void>()
  const opener = renderHook(
    ({ isOpen }) =>
      useWorkspaceCommands((command) => {
        requestPanel(command)
        opened()
      }, !isOpen),
    { initialProps: { isOpen: false } },
  )
  getCommandHandler('download-zip')?.()
  expect(opened).toHaveBeenCalledTimes(1)
  opener.rerender({ isOpen: true })
  const panel = renderHook(() => useWorkspaceCommands(did))
  expect(did).toHaveBeenCalledExactlyOnceWith('download-zip')
  panel.unmount()
  renderHook(() => useWorkspaceCommands(did))
  expect(did).toHaveBeenCalledTimes(1)
  getCommandHandler('new-file')?.()
  expect(did).toHaveBeenLastCalledWith('new-file')
  expect(opened).toHaveBeenCalledTimes(1)
})

it('forgets a request whose panel never opened', () => {
  const did = vi.fn<() => void>()
  requestPanel('new-file')
  requestPanel(null)
  renderHook(() => useCommand('new-file', did))
  expect(did).not.toHaveBeenCalled()
})
