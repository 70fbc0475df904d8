// @vitest-environment jsdom
import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { useHotkeyAhead } from './page-commands'

afterEach(cleanup)

function Page({ load }: { load: () => void }) {
  useHotkeyAhead(load)
  return null
}

it.each(['Control', 'Meta', '?'])('preloads a command’s code once with %s, but not while typing', (key) => {
  const load = vi.fn<() => void>()
  render(<Page load={load} />)
  for (const other of ['a', 'k', 'Shift', 'Enter']) fireEvent.keyDown(window, { key: other })
  expect(load).not.toHaveBeenCalled()
  fireEvent.keyDown(window, { key })
  fireEvent.keyDown(window, { key })
  expect(load).toHaveBeenCalledOnce()
})
