// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { attention } from '@/lib/client/wiring/attention.browser'
import AttentionPart from './attention-part'

beforeEach(() => attention.forget())
afterEach(cleanup)

const figures = () => screen.getAllByRole('definition').map(({ textContent }) => textContent)

it('shows statistics on decisions, and deletes them', async () => {
  for (const ms of [800, 1_200, 4_000, 60_000]) {
    attention.record({ at: Date.now(), ms, isApproval: true, cards: 1 })
  }
  render(<AttentionPart />)
  expect(screen.getByText(/Only this browser counts it, and sends none of it\./)).toBeTruthy()
  expect(figures()).toEqual(['4', '4.0 s', '50 %'])
  await userEvent.click(screen.getByRole('button', { name: 'Forget' }))
  expect(figures()).toEqual(['0', 'not enough decisions yet', 'not enough decisions yet'])
  expect(screen.getByRole('status').textContent).toBe('Deleted.')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Forget' }).disabled).toBe(true)
})
