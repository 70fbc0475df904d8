// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Progress } from './progress'
import { Wait, waitMs } from './wait'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

it('shows nothing for a short wait, and a sentence for a longer one', () => {
  render(<Wait what="Loading the log…" />)
  expect(screen.getByRole('status').textContent).toBe('')
  act(() => void vi.advanceTimersByTime(waitMs - 1))
  expect(screen.getByRole('status').textContent).toBe('')
  act(() => void vi.advanceTimersByTime(1))
  expect(screen.getByRole('status').textContent).toBe('Loading the log…')
})

it('has a bar if the total is known, none if not, and a way to cancel', () => {
  const run = vi.fn<() => void>()
  const cancel = { label: 'Cancel', run }
  const view = render(<Progress what="Reading" done={3} of={12} cancel={cancel} />)
  const bar = screen.getByRole<HTMLProgressElement>('progressbar', { name: 'Reading' })
  expect([bar.value, bar.max]).toEqual([3, 12])
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(run).toHaveBeenCalledTimes(1)
  view.rerender(<Progress what="Reading" done={3} of={null} />)
  expect(screen.queryByRole('progressbar')).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
})
