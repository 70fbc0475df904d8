// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { waitMs } from '@/components/ui/page/wait'
import { Refused } from './account-sheet'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

it('shows that the request is pending when it takes long, and then the error', () => {
  const { rerender } = render(<Refused message={null} waits />)
  expect(screen.getByRole('status').textContent).toBe('')
  act(() => {
    vi.advanceTimersByTime(waitMs)
  })
  expect(screen.getByRole('status').textContent).toContain('Waiting for the server…')
  rerender(<Refused message="The server cannot be reached." waits={false} />)
  expect(screen.getByRole('alert').textContent).toBe('The server cannot be reached.')
  expect(screen.queryByRole('status')).toBeNull()
  rerender(<Refused message={null} />)
  expect(screen.queryByRole('alert')).toBeNull()
})
