// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import LinkNote from './look-note'

afterEach(cleanup)

function open(isOver: boolean, waits = true) {
  const ask = vi.fn<() => Promise<boolean>>(() => Promise.resolve(isOver))
  const onEnd = vi.fn<() => void>()
  render(<LinkNote token="c~m~0~x~mark" waits={waits} about="Open it there." ask={ask} onEnd={onEnd} />)
  return { ask, onEnd }
}

it('shows the link while it waits, and keeps it until there is an answer', async () => {
  const { ask, onEnd } = open(false)
  const link = screen.getByRole<HTMLInputElement>('textbox', { name: 'Link for another device' })
  expect(link.value).toMatch(/\/look\/c~m~0~x~mark$/)
  expect(screen.getByText('Open it there.')).toBeTruthy()
  await waitFor(() => expect(ask).toHaveBeenCalled())
  expect(onEnd).not.toHaveBeenCalled()
})

it('removes the link once there was an answer', async () => {
  const { onEnd } = open(true, false)
  expect(screen.queryByRole('textbox')).toBeNull()
  await waitFor(() => expect(onEnd).toHaveBeenCalled())
})
