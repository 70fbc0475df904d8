// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { englishIn, inChinese } from '@/components/ui/testing/in-chinese'
import RefusedNotice from './refused-notice'

afterEach(cleanup)
const refused = { cookies: false, words: false, files: false }
const said = () => screen.getByRole('alert').textContent

it('says that nothing can be sent without cookies and for which site to allow them, and stays', () => {
  render(<RefusedNotice refused={{ cookies: true, words: true, files: true }} />)
  expect(said()).toMatch(/^This browser blocks cookies and site data for localhost:3000\. .*so nothing can be sent\./)
  expect(said()).toMatch(/Allow cookies for localhost:3000 in the site settings/)
  expect(said()).not.toMatch(/automatically|waiting/i)
  expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull()
})

it.each([
  [{ ...refused, words: true }, /Drafts and unsent messages are lost/, /Files in chats/],
  [{ ...refused, files: true }, /Files in chats .* cannot be saved/, /Drafts/],
  [{ ...refused, words: true, files: true }, /Drafts and unsent .* Files in chats/, /cookies/],
])('says what is not stored, and nothing else: %j', async (one, words, others) => {
  render(<RefusedNotice refused={one} />)
  expect(said()).toMatch(words)
  expect(said()).not.toMatch(others)
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByRole('alert')).toBeNull()
})

it.each([{ cookies: true }, { words: true }, { files: true }, { words: true, files: true }])(
  'is shown in Chinese: %j',
  (one) => {
    inChinese()
    const { container } = render(<RefusedNotice refused={{ ...refused, ...one }} />)
    expect(englishIn(container)).toEqual([])
  },
)
