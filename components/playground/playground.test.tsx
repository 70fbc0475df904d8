// @vitest-environment jsdom
import { act, cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { englishIn, inChinese } from '@/components/ui/testing/in-chinese'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'
import { leaveToCards, createQuestionList } from '@/lib/client/calls/approval/approval-ui'
import { approvalUIContract } from '@/lib/client/calls/approval/approval-ui.contract'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import { parseArguments } from './share-link'
import { Playground } from './playground'
import { RunPanel } from './run-panel'

vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))

afterEach(() => {
  cleanup()
  history.replaceState(null, '', '/')
})

const done: CallOutcome = { status: 'completed', result: { value: 5 }, durationMs: 3, console: [], displays: [] }

function open(execute: ToolRuntime['execute'] = () => Promise.resolve(done)) {
  const spaces: string[] = []
  const run = vi.fn<ToolRuntime['execute']>(execute)
  const prepare = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const runtimeOf = (id: string) => {
    spaces.push(id)
    return Promise.resolve({ execute: run, prepare, dispose: () => {} } as unknown as ToolRuntime)
  }
  render(<Playground runtimeOf={runtimeOf} />)
  return { run, prepare, spaces, user: userEvent.setup() }
}

const args = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Arguments (JSON)' })
/** Presses Run and confirms. */
async function runIt(user: ReturnType<typeof userEvent.setup>) {
  await user.click(screen.getByRole('button', { name: 'Run tool' }))
  await user.click(screen.getByRole('button', { name: 'Run' }))
}
const outcomeText = () => screen.getByRole('region', { name: 'Outcome' }).textContent ?? ''

async function retype(user: ReturnType<typeof userEvent.setup>, text: string) {
  await user.clear(args())
  await user.click(args())
  await user.paste(text)
}

describe('the playground', () => {
  it('runs a tool with the typed arguments in its own files, and shows the outcome as JSON', async () => {
    const { run, spaces, user } = open()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Tool' }), 'list_directory')
    await retype(user, '{"path": "/notes"}')
    await runIt(user)
    expect([...new Set(spaces)]).toEqual(['playground'])
    expect(run.mock.calls[0]?.slice(0, 2)).toEqual(['list_directory', { path: '/notes' }])
    expect(JSON.parse(outcomeText())).toEqual(done)
  })

  it('preloads what the first run needs at the first user interaction', async () => {
    const { run, prepare, user } = open()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Tool' }), 'list_directory')
    expect(prepare).toHaveBeenCalledTimes(1)
    expect(run).not.toHaveBeenCalled()
  })

  it('takes a call from the pasted reply, runs it on request, and shows the result for the model', async () => {
    const scrolled = vi.fn<() => void>()
    Element.prototype.scrollIntoView = scrolled
    const { run, user } = open()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Call format' }), 'JSON_Strict')
    await user.click(screen.getByRole('textbox', { name: 'Reply' }))
    await user.paste('```json\n{"tool_calls": [{"name": "list_directory", "arguments": {"path": "/pasted"}}]}\n```')
    await user.click(screen.getByRole('button', { name: 'Run it here' }))
    expect(screen.getByRole('combobox', { name: 'Tool' })).toHaveProperty('value', 'list_directory')
    expect(scrolled).toHaveBeenCalled()
    expect(run).not.toHaveBeenCalled()
    await runIt(user)
    expect(run.mock.calls[0]?.slice(0, 2)).toEqual(['list_directory', { path: '/pasted' }])
    await user.click(await screen.findByRole('button', { name: /^Send result/ }))
    await user.click(await screen.findByRole('button', { name: 'copy for the model' }))
    const copied = await navigator.clipboard.readText()
    expect(copied).toContain('list_directory')
    expect(copied).toContain('completed')
  })

  it('lists the files that a run changed', async () => {
    const changes = [1, 2, 3].map((n) => ({ path: `/${n}.txt`, change: 'created', kind: 'file', size: n }) as const)
    const { user } = open(() => Promise.resolve({ ...done, files: { kept: true, changes, total: 3 } }))
    await runIt(user)
    expect(await screen.findByText('It changed 3 files.')).toBeTruthy()
    const list = screen.getByRole('list', { name: 'Changed files' })
    expect([...list.children].map((line) => line.textContent)).toEqual([
      'created/1.txt1 B',
      'created/2.txt2 B',
      'created/3.txt3 B',
    ])
  })

  it('fills in example arguments when the tool changes, and keeps typed ones', async () => {
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

  it('shows the position of bad JSON, runs nothing and loses nothing', async () => {
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
    await user.click(args())
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(run).toHaveBeenCalledOnce()
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    expect(signal?.aborted).toBe(true)
    expect(JSON.parse(outcomeText())).toMatchObject({ status: 'cancelled' })
  })

  it('says that the tools could not be started', async () => {
    render(<Playground runtimeOf={() => Promise.reject(new Error('The browser refuses storage.'))} />)
    await runIt(userEvent.setup())
    await act(() => Promise.resolve())
    expect(outcomeText()).toContain('The browser refuses storage.')
  })
})

describe('the form', () => {
  const value = () => JSON.parse(args().value) as unknown
  const tab = (user: ReturnType<typeof userEvent.setup>, name: 'Form' | 'JSON') =>
    user.click(screen.getByRole('tab', { name }))

  it('is a view of the JSON: keeps numbers and unknown members, and removes emptied optional ones', async () => {
    const { user } = open()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Tool' }), 'read_file')
    await retype(user, '{"path": "/a", "other": null, "limit": 1}')
    await tab(user, 'Form')
    expect(screen.getByText(/also contains other/)).toBeTruthy()
    await user.type(screen.getByRole('textbox', { name: 'offset' }), '3')
    await user.clear(screen.getByRole('textbox', { name: 'limit' }))
    await tab(user, 'JSON')
    expect(value()).toEqual({ path: '/a', other: null, offset: 3 })
    expect(Object.keys(value() as object).slice(0, 2)).toEqual(['path', 'other'])
  })

  it('keeps an emptied required text, shows errors at their field, and runs by key', async () => {
    const { user, run } = open()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Tool' }), 'read_file')
    await retype(user, '{"path": "/a"}')
    await tab(user, 'Form')
    await user.type(screen.getByRole('textbox', { name: 'offset' }), 'three')
    expect(screen.getByText('It must be an integer, not a string.')).toBeTruthy()
    await user.clear(screen.getByRole('textbox', { name: 'offset' }))
    await user.type(screen.getByRole('textbox', { name: 'path' }), 'b{Control>}{Enter}{/Control}')
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(run.mock.calls[0]?.slice(0, 2)).toEqual(['read_file', { path: '/ab' }])
    await user.clear(screen.getByRole('textbox', { name: 'path' }))
    await tab(user, 'JSON')
    expect(value()).toEqual({ path: '' })
  })
})

const runQuestion = () => screen.getByRole('group', { name: /^Run \w+\?$/ })
const resultQuestion = () => screen.getByRole('group', { name: /^Send the result of \w+\?$/ })
const told = () => screen.getByRole('group', { name: 'What a model would get' }).textContent

describe('approval in the playground', () => {
  it('asks before it runs anything', async () => {
    const { run, user } = open()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Tool' }), 'list_directory')
    await retype(user, '{"path": "/notes"}')
    await user.click(screen.getByRole('button', { name: 'Run tool' }))
    expect(runQuestion().textContent).toContain('List the folder /notes')
    await user.keyboard('{Enter} ')
    expect(run).not.toHaveBeenCalled()
    await user.click(within(runQuestion()).getByRole('button', { name: 'Run' }))
    expect(run).toHaveBeenCalledOnce()
    expect(screen.queryByRole('group', { name: /^Run \w+\?/ })).toBeNull()
    // The focus moves on when the question closes.
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Outcome' }))
  })

  it('shows a denial as a model would receive it, and runs nothing', async () => {
    const { run, user } = open()
    await user.click(screen.getByRole('button', { name: 'Run tool' }))
    await user.type(screen.getByRole('textbox', { name: /^Reason/ }), 'Not this one.')
    await user.click(within(runQuestion()).getByRole('button', { name: 'Deny' }))
    expect(told()).toContain('execution_rejected')
    expect(told()).toContain('Not this one.')
    expect(run).not.toHaveBeenCalled()
    expect(outcomeText()).toContain('Nothing has run yet.')
  })

  it('closes the question when the call is cancelled or changed, or another tool is chosen', async () => {
    const { run, user } = open()
    const asks = () => user.click(screen.getByRole('button', { name: 'Run tool' }))
    const gone = () => expect(screen.queryByRole('group', { name: /^Run \w+\?/ })).toBeNull()
    await asks()
    await user.click(within(runQuestion()).getByRole('button', { name: 'not now' }))
    gone()
    await asks()
    await user.type(args(), ' ')
    gone()
    await asks()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Tool' }), 'read_file')
    gone()
    await asks()
    await asks()
    expect(screen.getAllByRole('group', { name: /^Run \w+\?/ })).toHaveLength(1)
    expect(run).not.toHaveBeenCalled()
  })

  it('asks what to do with the result: send it, or withhold it and report only that it ran', async () => {
    const { user } = open(() => Promise.resolve({ ...done, result: { value: 'the secret' } }))
    await runIt(user)
    expect(await screen.findByText('Nothing is sent.')).toBeTruthy()
    expect(screen.queryByRole('group', { name: 'What a model would get' })).toBeNull()
    await user.click(within(resultQuestion()).getByRole('button', { name: 'Send result' }))
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Outcome' }))
    expect(told()).toContain('completed')
    expect(told()).toContain('the secret')
    await runIt(user)
    await user.click(within(resultQuestion()).getByRole('button', { name: 'Don’t send' }))
    expect(told()).toContain('result_rejected')
    expect(told()).not.toContain('the secret')
    expect(outcomeText()).toContain('the secret')
    await user.click(screen.getByRole('button', { name: 'Clear outcome' }))
    expect(outcomeText()).toContain('Nothing has run yet.')
  })

  it('uses the format of the chosen strategy', async () => {
    const { user } = open()
    await runIt(user)
    await user.click(within(resultQuestion()).getByRole('button', { name: 'Send result' }))
    expect(told()).not.toContain('<tool_result')
    const before = told()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Call format' }), 'Tool_Action')
    expect(told()).not.toBe(before)
    expect(told()).toContain('tool_action_result')
  })
})

approvalUIContract(
  'The playground',
  () => {
    const questions = createQuestionList()
    const runtimeOf = () => Promise.reject(new Error('unused'))
    render(<RunPanel strategy="JSON_Strict" fragment="" runtimeOf={runtimeOf} questions={questions} />)
    const user = userEvent.setup()
    const during = <T,>(work: () => T): T => {
      let value: { readonly is: T } | undefined
      act(() => void (value = { is: work() }))
      return (value as { readonly is: T }).is
    }
    const press = (group: HTMLElement, name: string) => user.click(within(group).getByRole('button', { name }))
    return {
      adapter: {
        showToolExecutionApproval: (request, signal) =>
          during(() => questions.showToolExecutionApproval(request, signal)),
        showToolResultApproval: (request, signal) => during(() => questions.showToolResultApproval(request, signal)),
        ...leaveToCards,
      },
      async decide({ call }, decision) {
        const groups = screen.getAllByRole('group', { name: `Run ${call.call.name}?` })
        const group = groups.find(({ textContent }) => textContent.includes(`/notes/${call.slot}.md`))
        if (!group) throw new Error('this call is not asked about')
        switch (decision.kind) {
          case 'run':
            return press(group, 'Run')
          case 'deny':
            await user.type(within(group).getByRole('textbox', { name: /^Reason/ }), decision.reason)
            return press(group, 'Deny')
          case 'skip':
            throw new Error('not here')
          case 'later':
            return press(group, 'not now')
        }
      },
      async release(_, { kind }) {
        expect(screen.getByText('Nothing is sent.')).toBeTruthy()
        expect(outcomeText()).toContain('"written": 5')
        if (kind === 'later') return user.click(screen.getByRole('button', { name: 'Clear outcome' }))
        return press(resultQuestion(), kind === 'sent' ? 'Send result' : 'Don’t send')
      },
    }
  },
  {
    cannot: {
      skip: 'A call by hand stands alone: there are no others that it is left out of.',
      remember: 'Here every run is asked for.',
      review: 'A run by hand works on files of its own.',
      rounds: 'No model is told anything, so nothing goes round.',
    },
  },
)

describe('parseArguments', () => {
  it('accepts one object, and an empty text as an empty object', () => {
    expect(parseArguments('{"a": 1}')).toEqual({ ok: true, value: { a: 1 } })
    expect(parseArguments('  ')).toEqual({ ok: true, value: {} })
  })

  it.each(['[1]', '"a"', 'null', '3'])('refuses %s, which is not an object', (text) => {
    expect(parseArguments(text)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('one JSON object') },
    })
  })

  it.each([
    ['{"a": 1', 'line 1, column 8'],
    ['{"a": tru}', 'line 1, column'],
  ])('gives the position of the error in %s', (text, place) => {
    expect(parseArguments(text)).toMatchObject({ ok: false, error: { message: expect.stringContaining(place) } })
  })
})

describe('in Chinese', () => {
  it('shows nothing in English', async () => {
    inChinese()
    const { user } = open()
    await user.selectOptions(screen.getByRole('combobox', { name: '工具' }), 'read_file')
    await user.click(screen.getByRole('button', { name: '运行工具' }))
    expect(screen.getByRole('group', { name: '运行 read_file？' })).toBeTruthy()
    // A name, the summary of a call, or the button of another folder.
    const isName = (text: string) =>
      ['Native', 'Read ', 'copy'].includes(text) || builtIn.list().some(({ spec }) => spec.name === text)
    for (const name of ['粘贴的回复', '读取结果', '调用', '返回的内容', '发送给模型的内容', '找到的工具'])
      expect(englishIn(screen.getByRole('region', { name })).filter((text) => !isName(text))).toEqual([])
    expect(englishIn(screen.getByRole('navigation'))).toEqual([])
  })

  it('explains in the currently chosen language why nothing ran', async () => {
    const { user } = open()
    await retype(user, '[1]')
    await user.click(screen.getByRole('button', { name: 'Run tool' }))
    expect(screen.getByRole('alert').textContent).toBe(
      'The arguments must be one JSON object, such as {"path": "/"}. Nothing ran.',
    )
    act(() => inChinese())
    expect(screen.getByRole('alert').textContent).toBe(
      '参数必须是一个 JSON 对象，例如 {"path": "/"}。没有运行任何内容。',
    )
  })
})
