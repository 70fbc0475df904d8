// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { englishIn, inChinese } from '@/components/ui/testing/in-chinese'
import { ok } from '@/lib/base/result'
import { unreachable } from '@/lib/client/api/api-failure'
import { callLinkApi } from '@/lib/client/wiring/looks.browser'
import * as page from '@/lib/client/wiring/nod-api.browser'
import LinkNote from './look-note'

const end = vi.spyOn(callLinkApi, 'end')
const hasReviewers = vi.spyOn(page, 'hasReviewers', 'get')

beforeEach(() => {
  end.mockReset()
  hasReviewers.mockReturnValue(true)
})
afterEach(cleanup)

function open(isOver: boolean, waits = true, link = 'c~m~0~x~mark') {
  const ask = vi.fn<() => Promise<boolean>>(() => Promise.resolve(isOver))
  const make = vi.fn<(reviewer: string) => Promise<string | null>>(() => Promise.resolve('There is none.'))
  const onEnd = vi.fn<() => void>()
  render(<LinkNote link={link} waits={waits} of="call" ask={ask} make={make} onEnd={onEnd} />)
  return { ask, make, onEnd }
}

it('shows the link while it waits, and keeps it until there is an answer', async () => {
  const { ask, onEnd } = open(false)
  const link = screen.getByRole<HTMLInputElement>('textbox', { name: 'Link for another device' })
  expect(link.value).toMatch(/\/look\/c~m~0~x~mark$/)
  expect(screen.getByText(/^Open this link on another device/)).toBeTruthy()
  await waitFor(() => expect(ask).toHaveBeenCalled())
  expect(onEnd).not.toHaveBeenCalled()
})

it('removes the link once there was an answer', async () => {
  const { onEnd } = open(true, false)
  expect(screen.queryByRole('textbox')).toBeNull()
  await waitFor(() => expect(onEnd).toHaveBeenCalled())
})

it('offers no reviewer where the operator does not allow them', () => {
  hasReviewers.mockReturnValue(false)
  open(false)
  expect(screen.getAllByRole('textbox')).toHaveLength(1)
})

it('makes a link for the account that the user names, and shows why there is none', async () => {
  const { make } = open(false)
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Make a link for them' })
  expect(button.disabled).toBe(true)
  fireEvent.change(screen.getByRole('textbox', { name: /^Or let another person decide/ }), {
    target: { value: ' grace@example.com ' },
  })
  fireEvent.click(button)
  expect((await screen.findByRole('alert')).textContent).toBe('There is none.')
  expect(make).toHaveBeenCalledWith('grace@example.com')
})

it('shows a reviewer’s link with the address as foreign text, and withdraws it', async () => {
  const { onEnd } = open(false, true, 'c~m~0~x~mark review.secret grace\u202e@example.com')
  const link = screen.getByRole<HTMLInputElement>('textbox', { name: 'Link for the reviewer' })
  expect(link.value).toMatch(/\/look\/review\.secret$/)
  expect(document.body.textContent).not.toContain('\u202e')
  expect(screen.queryByRole('button', { name: 'Make a link for them' })).toBeNull()
  end.mockResolvedValueOnce(unreachable())
  fireEvent.click(screen.getByRole('button', { name: 'Withdraw the link' }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/^The link was not withdrawn/)
  expect(onEnd).not.toHaveBeenCalled()
  end.mockResolvedValueOnce(ok(null))
  fireEvent.click(screen.getByRole('button', { name: 'Withdraw the link' }))
  await waitFor(() => expect(onEnd).toHaveBeenCalled())
  expect(end).toHaveBeenLastCalledWith('review.secret')
})

it('is translated to Chinese', () => {
  inChinese()
  open(false)
  expect(englishIn(document.body)).toEqual([])
  cleanup()
  open(false, true, 'c~m~0~x~mark review.secret 审核人')
  expect(englishIn(document.body)).toEqual([])
})
