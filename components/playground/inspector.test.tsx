// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Inspector } from './inspector'
import { useInspector } from './prompt-panel'

beforeEach(() => {
  vi.stubGlobal('CSS', { supports: () => true, escape: (text: string) => text })
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Bench({ fragment = '' }: { fragment?: string }) {
  return <Inspector state={useInspector(fragment)} />
}

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Reply' })
const reading = () => screen.getByRole('region', { name: 'Reading' })

describe('the inspector', () => {
  it('explains and counts each part of a pasted reply', async () => {
    render(<Bench />)
    const user = userEvent.setup()
    await user.click(field())
    await user.paste(
      '{"tool_calls": [{"name": "list_directory", "arguments": {"path": "/"}}]}\n{"name": "read_file", "arguments": {}}',
    )
    expect(reading().textContent).toContain('1 call, 1 that is not')
    expect(within(reading()).getAllByRole('button', { name: /line/ })).toHaveLength(2)
  })

  it('highlights the text of the focused item', async () => {
    const { container } = render(<Bench />)
    const user = userEvent.setup()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Load an example' }), 'XML_Tag tour')
    await user.hover(within(reading()).getByRole('button', { name: /Another format/ }))
    const marked = [...container.querySelectorAll('[data-layer] [data-on]')].map((one) => one.textContent)
    expect(marked.join('')).toMatch(/^<tool_call>.*<\/tool_call>$/)
  })

  it('can restore what an example or Clear replaced', async () => {
    render(<Bench />)
    const user = userEvent.setup()
    await user.click(field())
    await user.paste('my own words')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Load an example' }), 'XML_Tag tour')
    await user.click(screen.getByRole('button', { name: 'Restore the previous text' }))
    expect(field().value).toBe('my own words')
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    expect(field().value).toBe('')
    await user.click(screen.getByRole('button', { name: 'Restore the previous text' }))
    expect(field().value).toBe('my own words')
  })

  it('says that a link is damaged, and changes nothing', async () => {
    render(<Bench fragment="read=1.damaged" />)
    expect((await screen.findByRole('alert')).textContent).toContain('damaged or incomplete')
    expect(field().value).toBe('')
  })
})
