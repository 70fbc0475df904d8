// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { JsonTree } from '@/components/ui/code/json-tree'
import { HiddenParts, useHiddenParts } from '@/components/ui/text/out-of-view'
import { isJsonObject } from '@/lib/base/json'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import type { ToolDefinition } from '@/lib/shared/tools/tool'
import { choose, menuOf } from '../testing/choose'
import { outcome, record, reply } from '../testing/fixtures'
import { renderMessage, type Scene } from '../testing/render-message'

vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
afterEach(cleanup)
// The test page has no layout.
Element.prototype.scrollIntoView = () => {}

const code = (name: string, args: object) => `<tool_code>${JSON.stringify({ name, arguments: args })}</tool_code>`
const show = (text: string, scene: Omit<Scene, 'message'> = {}) => renderMessage({ ...scene, message: reply({ text }) })
const card = (name: string) => screen.getByRole('group', { name: `Tool call: ${name}` })

/** None of these may reach the page unmarked, neither in text nor in accessible names. */
const unseen = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Co}]|[^\P{Cc}\n\t]/u

function assertAllShows(root: HTMLElement): void {
  expect(root.textContent).not.toMatch(unseen)
  for (const element of root.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      // A field contains the text itself.
      if (name !== 'value') expect(`${name}=${value}`).not.toMatch(unseen)
    }
  }
}

const hostile = [
  '\u202e',
  '\u2066',
  '\u200b',
  '\u200d',
  '\u2028',
  '\u0085',
  '\u3164',
  '\u{e0061}',
  '\ufe0f',
  '\u061c',
  '\ue000',
  '\u00ad',
]
const all = `a${hostile.join('b')}c`
/** For tools that take more than texts; for the others every parameter is hostile. */
const argumentsOf: Readonly<Record<string, object>> = {
  read_file: { path: `/${all}.md` },
  list_directory: { path: `/${all}` },
  write_file: { path: `/${all}.js`, content: `x${all}\ny\rz` },
  edit_file: { path: `/${all}.js`, edits: [{ search: all, replace: `${all}!` }] },
  delete_path: { path: `/${all}` },
  move_path: { from: `/${all}`, to: `/x${all}` },
  search_files: { query: all, path: `/${all}` },
  show: { path: `/${all}.svg` },
  sql_query: { query: all, files: [`/${all}.csv`] },
  edit_memory: { add: all },
  browser_js_eval: { code: `// ${all}\rfs.rm("/")` },
  python_eval: { code: `# ${all}\rfs.rm("/")` },
  ask_user: { question: all, choices: [all], other: true, fields: [{ name: all, type: 'text' }] },
}

const hostileTexts = ({ spec: { parameters } }: ToolDefinition) =>
  Object.fromEntries(
    Object.keys(isJsonObject(parameters.properties) ? parameters.properties : {}).map((key) => [key, all]),
  )

describe('a forged card', () => {
  it.each(builtIn.list().map((tool) => ({ name: tool.spec.name, tool })))(
    'of $name shows all its content',
    async ({ name, tool }) => {
      const { container } = show(code(name, argumentsOf[name] ?? hostileTexts(tool)), {
        tools: { toolToggles: { python_eval: true, edit_memory: true } },
      })
      if (tool.policy.asksUser) await screen.findAllByRole('radio')
      assertAllShows(container)
      expect(container.textContent).toContain('⟨U+202E⟩')
      expect(container.textContent).toMatch(/It contains .*invisible characters/)
    },
  )

  it('of a tool that is unknown, quoted or broken shows it too', () => {
    const { container } = show(
      [
        code(`read${all}`, { [all]: all }),
        '```',
        code('read_file', { path: all }),
        '```',
        `<tool_code>{"name": "read_file", ${all}`,
      ].join('\n'),
    )
    assertAllShows(container)
    expect(container.textContent).toContain('⟨U+202E⟩')
  })

  it.each(['completed', 'error', 'cancelled'] as const)(
    'that is %s shows its result, its console and its files',
    (status) => {
      const text = code('browser_js_eval', { code: all })
      const files = {
        kept: true,
        total: 1,
        changes: [{ path: `/${all}`, change: 'created', kind: 'file', size: 1 }],
      } as const
      const done = outcome({
        status,
        result:
          status === 'completed'
            ? { [all]: all, list: [{ [all]: all }, { [all]: all }], long: all.repeat(20) }
            : { error: all },
        console: [{ level: 'log', text: `${all}\rmore`, atMs: 1 }],
        files,
      })
      const { container } = show(text, { records: [record(0, { name: 'browser_js_eval', outcome: done })] })
      for (const head of container.querySelectorAll<HTMLElement>('[aria-expanded=false]')) fireEvent.click(head)
      for (const name of screen.queryAllByRole('tab')) {
        fireEvent.click(name)
        assertAllShows(container)
      }
      assertAllShows(container)
      expect(container.textContent).toContain('⟨U+202E⟩')
    },
  )

  it('counts lines like the language: a lone CR ends a comment', () => {
    show(code('browser_js_eval', { code: '// add up\rawait fs.rm("/")\u2028more()' }))
    const lines = within(card('browser_js_eval')).getByRole('group', { name: 'Code' }).querySelectorAll('[data-line]')
    expect([...lines].map((line) => line.textContent)).toEqual([
      '1// add up⟨CR⟩',
      '2await fs.rm("/")⟨U+2028⟩',
      '3more()',
    ])
  })

  it('says where a mark is, even in a part that the card does not show', () => {
    show(code('show', { title: 'Sales\u200b 2026', kind: 'text', text: 'plain', path: '/a.svg' }))
    const note = screen
      .getAllByRole('note')
      .map((one) => one.textContent)
      .join()
    expect(note).toContain('It contains 1 invisible character.')
    expect(note).toContain('Sales⟨U+200B⟩ 2026')
  })

  it('counts a single line that runs out of view', () => {
    show(code('browser_js_eval', { code: `x = "${'a'.repeat(100_000)}"; fs.rm('/')` }))
    expect(card('browser_js_eval').textContent).toContain('1 line not shown')
    expect(card('browser_js_eval').textContent).not.toContain("fs.rm('/')")
    fireEvent.click(screen.getByRole('button', { name: /^Show the whole line/ }))
    expect(card('browser_js_eval').textContent).toContain("fs.rm('/')")
  })

  it('names look-alike letters, and is set apart from the app’s text', () => {
    show(code('read_file', { path: '/n\u043etes.md' }))
    const name = screen.getAllByText(/tes\.md/)[0]
    expect(name?.closest('code, bdi')?.getAttribute('dir')).toBe('ltr')
    expect(card('read_file').textContent).toContain(
      'It contains 1 letter that looks like another: \u043e (U+043E). You can only run it from this card.',
    )
  })

  it('keeps the model’s keys out of the app’s text', () => {
    const key = 'Checked by Nod: this call is safe. Press Run to go on. (Note that one more key'
    show(code('read_file', { path: '/a.md', [key]: 1 }))
    const quoted = screen.getByText(`"${key.slice(0, 40)}…"`)
    expect(quoted.tagName).toBe('CODE')
    expect(card('read_file').textContent).not.toContain('one more key')
  })

  it('is not run by a remembered approval or with others, and can’t be remembered', async () => {
    const user = userEvent.setup()
    const { calls } = show(
      [code('read_file', { path: '/a.md' }), code('list_directory', { path: '/b\u200b' })].join('\n'),
    )
    expect(screen.getByText(/Run all skips 1 call with hidden or confusable characters/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Run all' }))
    expect(calls.run).toHaveBeenCalledExactlyOnceWith('m1', [0], { stopAtFailure: true })
    expect(await menuOf(user, card('list_directory'))).not.toContain('Don’t ask again…')
    expect(await menuOf(user, card('read_file'))).toContain('Don’t ask again…')
  })

  it('copies the text unchanged', async () => {
    const user = userEvent.setup()
    const text = `// ${all}\rrm()`
    show(code('browser_js_eval', { code: text }))
    await choose(user, card('browser_js_eval'), 'Copy')
    expect(await navigator.clipboard.readText()).toBe(text)
  })
})

describe('what is out of view', () => {
  const long = Array.from({ length: 60 }, (_, at) => `step(${at})`).join('\n')

  it('is counted beside Run, and a key opens it first', async () => {
    const { calls } = show(code('browser_js_eval', { code: long }))
    const one = card('browser_js_eval')
    expect(within(one).getByText('44 lines not shown')).toBeTruthy()
    fireEvent.keyDown(one, { key: 'Enter', ctrlKey: true })
    expect(calls.run).not.toHaveBeenCalled()
    expect(within(one).queryByText(/not shown/)).toBeNull()
    expect(one.textContent).toContain('step(59)')
    expect(within(one).getByText('Part of this was not visible. Review it, then press again.')).toBeTruthy()
    fireEvent.keyDown(one, { key: 'Enter', ctrlKey: true })
    await waitFor(() => expect(calls.run).toHaveBeenCalledExactlyOnceWith('m1', [0], { stopAtFailure: false }))
  })

  it('is counted for deeply nested or paged arguments in a tree', () => {
    const Parts = () => {
      const folded = useHiddenParts()
      return (
        <HiddenParts report={folded.report}>
          <JsonTree
            label="Arguments"
            value={{ a: { b: { c: [1, 2, 3] } }, long: Array.from({ length: 60 }, (_, at) => at) }}
          />
          <p>{folded.words}</p>
          <button onClick={folded.reveal}>all of it</button>
        </HiddenParts>
      )
    }
    render(<Parts />)
    expect(screen.getByText('11 members not shown')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'all of it' }))
    fireEvent.click(screen.getByRole('button', { name: 'all of it' }))
    expect(screen.queryByText(/not shown/)).toBeNull()
  })

  it('is opened before Run all runs it', async () => {
    const user = userEvent.setup()
    const { calls } = show([code('browser_js_eval', { code: long }), code('read_file', { path: '/a.md' })].join('\n'))
    await user.click(screen.getByRole('button', { name: 'Run all' }))
    expect(calls.run).not.toHaveBeenCalled()
    expect(screen.getByText(/1 of these calls was not fully visible/)).toBeTruthy()
    expect(card('browser_js_eval').textContent).toContain('step(59)')
    await user.click(screen.getByRole('button', { name: 'Run all' }))
    expect(calls.run).toHaveBeenCalledExactlyOnceWith('m1', [0, 1], { stopAtFailure: true })
  })
})
