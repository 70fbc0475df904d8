// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { RadioList } from './radio-list'

afterEach(cleanup)

test('a radio list: named by its label, described by its hint and cost, operated with keys', async () => {
  const onChange = vi.fn<(value: 'a' | 'b') => void>()
  render(
    <>
      <h3 id="heading">Which</h3>
      <RadioList
        labelledBy="heading"
        value="a"
        choices={[
          { value: 'a', label: 'First', hint: 'Means one.', aside: '10 tokens' },
          { value: 'b', label: 'Second' },
        ]}
        onChange={onChange}
      />
    </>,
  )
  const group = screen.getByRole('radiogroup', { name: 'Which' })
  const [first, second] = screen.getAllByRole<HTMLInputElement>('radio')
  expect(group.contains(first ?? null)).toBe(true)
  expect(first?.checked).toBe(true)
  const said = first
    ?.getAttribute('aria-describedby')
    ?.split(' ')
    .map((id) => document.getElementById(id)?.textContent)
  expect(said).toEqual(['Means one.', '10 tokens'])
  expect(second?.hasAttribute('aria-describedby')).toBe(false)
  await userEvent.click(screen.getByText('Second'))
  expect(onChange).toHaveBeenCalledExactlyOnceWith('b')
})
