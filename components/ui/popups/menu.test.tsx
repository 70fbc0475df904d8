// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { afterEach, describe, expect, it, test, vi } from 'vitest'
import { CollectActions, CollectedMenu, MenuButton, OwnActions, useCollected, type MenuItem } from './menu'

afterEach(cleanup)

const run = vi.fn<(what: string) => void>()
const item = (label: string, unavailable?: string): MenuItem => ({
  label,
  run: () => run(label),
  ...(unavailable === undefined ? {} : { unavailable }),
})
const items = [item('Open'), item('Download'), item('Delete', 'It is being written.'), item('Duplicate')]
const focused = () => document.activeElement?.textContent

function setUp() {
  run.mockClear()
  render(<MenuButton icon="more" label="More" items={items} />)
  return { user: userEvent.setup(), button: screen.getByRole('button', { name: 'More' }) }
}

test('opens by a press and by an arrow key, closes by a press on its button, and returns the focus', async () => {
  const { user, button } = setUp()
  await user.click(button)
  expect(button.getAttribute('aria-expanded')).toBe('true')
  expect(screen.getByRole('menu', { name: 'More' }).contains(document.activeElement)).toBe(true)
  await user.click(button)
  expect(screen.queryByRole('menu')).toBeNull()
  button.focus()
  await user.keyboard('{ArrowDown}')
  expect(focused()).toBe('Open')
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('menu')).toBeNull()
  expect(document.activeElement).toBe(button)
  expect(button.getAttribute('aria-expanded')).toBe('false')
})

test('wraps around with arrow keys, and jumps to names by their letters', async () => {
  const { user, button } = setUp()
  await user.click(button)
  await user.keyboard('{ArrowUp}')
  expect(focused()).toBe('Duplicate')
  await user.keyboard('{ArrowDown}')
  expect(focused()).toBe('Open')
  await user.keyboard('du')
  expect(focused()).toBe('Duplicate')
  await user.keyboard('{Home}{End}{Enter}')
  expect(run).toHaveBeenCalledExactlyOnceWith('Duplicate')
  expect(screen.queryByRole('menu')).toBeNull()
})

test('an unavailable item can be focused, says why, and does nothing', async () => {
  const { user, button } = setUp()
  await user.click(button)
  await user.keyboard('de')
  expect(focused()).toBe('Delete')
  const asleep = screen.getByRole('menuitem', { name: 'Delete' })
  expect(asleep.getAttribute('aria-disabled')).toBe('true')
  expect(asleep.dataset['tip']).toBe('It is being written.')
  await user.keyboard('{Enter}')
  expect(run).not.toHaveBeenCalled()
  expect(screen.getByRole('menu')).toBeTruthy()
})

test('a press outside closes it', async () => {
  const { user, button } = setUp()
  await user.click(button)
  await user.click(document.body)
  expect(screen.queryByRole('menu')).toBeNull()
})

describe('a menu of what the content offers', () => {
  const Content = ({ name, actions }: { name: string; actions: readonly string[] }) => (
    <p>
      {useCollected(
        name,
        actions.map((label) => item(label)),
      )
        ? 'calm'
        : 'own buttons'}
    </p>
  )
  const first = { label: 'Details', isCurrent: false, run: () => run('Details') }
  const show = (...content: readonly ReactElement[]) =>
    render(
      <CollectActions>
        {content}
        <CollectedMenu label="More" first={first} />
      </CollectActions>,
    )
  const lines = () => screen.getAllByRole('menuitem').map((one) => one.textContent)
  const open = (name: string) => userEvent.click(screen.getByRole('button', { name }))

  it('is only its first button if the content offers nothing', async () => {
    show(<Content key="a" name="chart" actions={[]} />)
    await open('Details')
    expect(run).toHaveBeenLastCalledWith('Details')
    expect(screen.queryByRole('menu')).toBeNull()
  })

  it('lists the actions of one content, and those without a name', async () => {
    show(<Content key="a" name="chart" actions={['PNG', 'SVG']} />, <Content key="b" name="" actions={['Values']} />)
    await open('More')
    expect(lines()).toEqual(['Details', 'PNG', 'SVG', 'Values'])
    await userEvent.click(screen.getByRole('menuitem', { name: 'SVG' }))
    expect(run).toHaveBeenLastCalledWith('SVG')
  })

  it('opens the actions of each of several contents by its name, even if two have the same', async () => {
    show(
      <Content key="a" name="chart" actions={['first']} />,
      <Content key="b" name="chart" actions={['second']} />,
      <Content key="c" name="" actions={['Values']} />,
    )
    await open('More')
    expect(lines()).toEqual(['Details', 'chart', 'chart', 'Values'])
    await userEvent.click(screen.getAllByRole('menuitem', { name: 'chart' })[1] ?? document.body)
    expect(lines()).toEqual(['second'])
  })

  it('leaves content alone that has no menu around it', () => {
    render(<Content name="chart" actions={['PNG']} />)
    expect(screen.getByText('own buttons')).toBeTruthy()
    cleanup()
    show(
      <OwnActions key="a">
        <Content name="chart" actions={['PNG']} />
      </OwnActions>,
    )
    expect(screen.getByText('own buttons')).toBeTruthy()
  })
})
