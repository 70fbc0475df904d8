// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CallOutcome } from '@/lib/chat/conversation'
import { approvalUIContract } from '@/lib/tool-calls/approval-ui.contract'
import { createQuestionList } from '@/lib/tool-calls/question-list'
import type { ToolRuntime } from '@/lib/tools/tool-runtime'
import { parseArguments } from './parse-arguments'
import { Playground } from './playground'
import { RunPanel } from './run-panel'

vi.mock('@/components/ui/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))

afterEach(() => {
  cleanup()
  history.replaceState(null, '', '/')
})

const done: CallOutcome = { status: 'completed', result: { value: 5 }, durationMs: 3, console: [], displays: [] }

function open(execute: ToolRuntime['execute'] = () => Promise.resolve(done)) {
  const spaces: string[] = []
  const run = vi.fn<ToolRuntime['execute']>(execute)
  const runtimeOf = (id: string) => {
    spaces.push(id)
    return Promise.resolve({ execute: run, dispose: () => {} } as unknown as ToolRuntime)
  }
  render(<Playground runtimeOf={runtimeOf} />)
  return { run, spaces, user: userEvent.setup() }
}

const args = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Arguments (JSON)' })
const outcomeText = () => screen.getByRole('region', { name: 'Outcome' }).textContent ?? ''

async function retype(user: ReturnType<typeof userEvent.setup>, text: string) {
  await user.clear(args())
  await user.click(args())
  await user.paste(text)
}

describe('the playground', () => {
  it('runs a tool with what was typed, in its own files, and shows the outcome as JSON', async () => {
    const { run, spaces, user } = open()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Tool' }), 'list_directory')
    await retype(user, '{"path": "/notes"}')
    await user.click(screen.getByRole('button', { name: 'Run tool' }))
    expect(spaces).toEqual(['playground'])
    expect(run.mock.calls[0]?.slice(0, 2)).toEqual(['list_directory', { path: '/notes' }])
    expect(JSON.parse(outcomeText())).toEqual(done)
  })

  it('names the files that a run changed', async () => {
    const changes = [1, 2, 3].map((n) => ({ path: `/${n}.txt`, change: 'created', kind: 'file', size: n }) as const)
    const { user } = open(() => Promise.resolve({ ...done, files: { kept: true, changes, total: 3 } }))
    await user.click(screen.getByRole('button', { name: 'Run tool' }))
    expect(await screen.findByText('It changed 3 files.')).toBeTruthy()
    const list = screen.getByRole('list', { name: 'Changed files' })
    expect([...list.children].map((line) => line.textContent)).toEqual([
      'created/1.txt1 B',
      'created/2.txt2 B',
      'created/3.txt3 B',
    ])
  })

  it('fills in example arguments when the tool changes, and keeps what was typed for another', async () => {
    const { user } = open()
    const tool = screen.getByRole('combobox', { name: 'Tool' })
    await user.selectOptions(tool, 'read_file')
    expect(JSON.parse(args().value)).toHaveProperty('path')
    await retype(user, '{"path": "/mine"}')
    await user.selectOptions(tool, 'write_file')
    expect(JSON.parse(args().value)).toHaveProperty('content')
    await user.selectOptions(tool, 'read_file')
    expect(args().value).toBe('{"path": "/mine"}')
  })

  it('names the place of bad JSON, runs nothing and loses nothing', async () => {
    const { run, user } = open()
    await retype(user, '{\n  "path": /\n}')
    await user.click(screen.getByRole('button', { name: 'Run tool' }))
    expect(screen.getByRole('alert').textContent).toContain('line 2, column 11')
    expect(args().value).toBe('{\n  "path": /\n}')
    expect(run).not.toHaveBeenCalled()
  })

  it('runs once for two quick clicks, and stops on a click', async () => {
    let signal: AbortSignal | undefined
    const { run, user } = open(
      (_name, _args, options) =>
        new Promise((resolve) => {
          signal = options.signal
          options.signal.addEventListener('abort', () => resolve({ ...done, status: 'cancelled' }))
        }),
    )
    await user.click(screen.getByRole('button', { name: 'Run tool' }))
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(run).toHaveBeenCalledOnce()
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    expect(signal?.aborted).toBe(true)
    expect(JSON.parse(outcomeText())).toMatchObject({ status: 'cancelled' })
  })

  it('says that the tools could not be started', async () => {
    render(<Playground runtimeOf={() => Promise.reject(new Error('The browser refuses storage.'))} />)
    await userEvent.setup().click(screen.getByRole('button', { name: 'Run tool' }))
    await act(() => Promise.resolve())
    expect(outcomeText()).toContain('The browser refuses storage.')
  })
})

describe('the form', () => {
  const value = () => JSON.parse(args().value) as unknown
  const tab = (user: ReturnType<typeof userEvent.setup>, name: 'Form' | 'JSON') =>
    user.click(screen.getByRole('tab', { name }))

  it('is another view of the JSON: numbers as numbers, unknown members kept, emptied optional ones left out', async () => {
    const { user } = open()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Tool' }), 'read_file')
    await retype(user, '{"path": "/a", "other": null, "limit": 1}')
    await tab(user, 'Form')
    expect(screen.getByText(/also holds other/)).toBeTruthy()
    await user.type(screen.getByRole('textbox', { name: 'offset' }), '3')
    await user.clear(screen.getByRole('textbox', { name: 'limit' }))
    await tab(user, 'JSON')
    expect(value()).toEqual({ path: '/a', other: null, offset: 3 })
    expect(Object.keys(value() as object).slice(0, 2)).toEqual(['path', 'other'])
  })

  it('keeps an emptied required text, says what does not fit at its field, and runs by key', async () => {
    const { user, run } = open()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Tool' }), 'read_file')
    await retype(user, '{"path": "/a"}')
    await tab(user, 'Form')
    await user.type(screen.getByRole('textbox', { name: 'offset' }), 'three')
    expect(screen.getByText('It must be an integer, not a string.')).toBeTruthy()
    await user.clear(screen.getByRole('textbox', { name: 'offset' }))
    await user.type(screen.getByRole('textbox', { name: 'path' }), 'b{Control>}{Enter}{/Control}')
    expect(run.mock.calls[0]?.slice(0, 2)).toEqual(['read_file', { path: '/ab' }])
    await user.clear(screen.getByRole('textbox', { name: 'path' }))
    await tab(user, 'JSON')
    expect(value()).toEqual({ path: '' })
  })
})

describe('approval in the playground', () => {
  it('says that nothing is sent, until the result is cleared', async () => {
    const { user } = open()
    await user.click(screen.getByRole('button', { name: 'Run tool' }))
    expect(await screen.findByText('Nothing is sent.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'clear' }))
    expect(outcomeText()).toContain('Nothing has run yet.')
  })
})

approvalUIContract(
  'The playground',
  () => {
    const questions = createQuestionList()
    render(<RunPanel fragment="" runtimeOf={() => Promise.reject(new Error('unused'))} questions={questions} />)
    const user = userEvent.setup()
    const during = <T,>(work: () => T): T => {
      let value: { readonly is: T } | undefined
      act(() => void (value = { is: work() }))
      return (value as { readonly is: T }).is
    }
    return {
      adapter: {
        showToolExecutionApproval: (request, signal) =>
          during(() => questions.showToolExecutionApproval(request, signal)),
        showToolResultApproval: (request, signal) => during(() => questions.showToolResultApproval(request, signal)),
      },
      decide: ({ call: { slot } }, decision) =>
        during(() => {
          const asked = questions.list().find(({ kind, request }) => kind === 'run' && request.call.slot === slot)
          if (asked?.kind === 'run') asked.answer(decision)
        }),
      async release() {
        expect(screen.getByText('Nothing is sent.')).toBeTruthy()
        expect(outcomeText()).toContain('"written": 5')
        await user.click(screen.getByRole('button', { name: 'clear' }))
      },
    }
  },
  { cannot: { sent: 'Nothing is sent from the playground.', later: 'A run by hand is not put off.' } },
)

describe('parseArguments', () => {
  it('takes one object, and nothing typed as none', () => {
    expect(parseArguments('{"a": 1}')).toEqual({ ok: true, value: { a: 1 } })
    expect(parseArguments('  ')).toEqual({ ok: true, value: {} })
  })

  it.each(['[1]', '"a"', 'null', '3'])('refuses %s, which is no object', (text) => {
    expect(parseArguments(text)).toMatchObject({ ok: false, error: expect.stringContaining('one JSON object') })
  })

  it.each([
    ['{"a": 1', 'line 1, column 8'],
    ['{"a": tru}', 'line 1, column'],
  ])('names the place in %s', (text, place) => {
    expect(parseArguments(text)).toMatchObject({ ok: false, error: expect.stringContaining(place) })
  })
})
