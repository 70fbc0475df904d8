// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { englishIn, speakChinese } from '@/components/ui/testing/in-chinese'
import type { CallAmendment } from '@/lib/shared/conversation/call-record'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { outcome, record, reply } from '../testing/fixtures'
import { renderMessage, type Scene } from '../testing/render-message'

vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))

let goBack = () => {}
beforeEach(() => {
  goBack = speakChinese()
})
afterEach(() => {
  goBack()
  cleanup()
})

const code = (name: string, args: object) => `<tool_code>${JSON.stringify({ name, arguments: args })}</tool_code>`

function show(text: string, scene: Omit<Scene, 'message'> = {}) {
  const shown = renderMessage({ ...scene, message: reply({ text }) })
  const card = document.querySelector<HTMLElement>('[data-call-card]')
  if (!card) throw new Error('There is no card.')
  return { ...shown, card }
}

const amendment = (call: CallAmendment['call']): CallAmendment => ({ messageId: 'm1', slot: 0, call, amendedAt: 1 })
const written = code('write_file', { path: '/a.md', content: 'one' })

it('a waiting card says what it may touch, what was repaired, and what exists', async () => {
  const { card } = show('<tool_code>{"name":"write_file","arguments":{"path":"/a.md","content":"one",}}</tool_code>')
  await within(card).findByRole('group', { name: '/a.md 的新内容' })
  for (const words of ['会修改此对话的文件', '不联网', '1 处修复：去掉了多余的逗号', '格式 XML_Tag']) {
    expect(within(card).getByText(words)).toBeTruthy()
  }
  expect(card.textContent).toContain('等待你的决定')
})

it('a card with invisible characters says so', () => {
  const { card } = show(code('write_file', { path: '/а.md', content: 'a\u202eb' }))
  expect(card.textContent).toMatch(/其中含有 1 个改变文字方向的字符.*只能在此卡片上点击运行。/)
})

it('visible text is updated when the language changes', async () => {
  const { card } = show(written)
  await within(card).findByRole('group', { name: '/a.md 的新内容' })
  expect(card.textContent).toContain('将 3 B 写入 /a.md')
  act(goBack)
  expect(card.textContent).toContain('Write 3 B to /a.md')
  expect(within(card).getByRole('group', { name: 'New text of /a.md' })).toBeTruthy()
  expect(card.textContent).toContain('waiting for you')
  expect(within(card).getByText('Changes this chat’s files')).toBeTruthy()
})

it('argument changes and errors are shown in Chinese', () => {
  const { card } = show(code('read_file', { path: '/a.md', offset: '3', lines: 2 }))
  expect(card.textContent).toContain('"offset" 原本写成文本，已转为 3')
  expect(card.textContent).toContain('"lines" 不是参数，已移除')
  cleanup()
  const wrong = show(code('read_file', { offset: 'three' })).card
  expect(wrong.textContent).toContain('offset 应为整数，而不是文本。')
  expect(wrong.textContent).toContain('path 是必填的（文本）。')
})

it('a failure’s reason is shown in Chinese if it is stored, and as told to the model if not', () => {
  const told = { error: 'There is no file at /a.md.' }
  const reasons = [{ reason: 'vfs.no-file', values: { path: '/a.md' } }]
  const failed = (more: object) =>
    show(code('read_file', { path: '/a.md' }), {
      records: [record(0, { outcome: outcome({ status: 'error', result: told, ...more }) })],
    }).card.textContent
  expect(failed({ said: reasons })).toContain('/a.md 处没有文件。')
  cleanup()
  expect(failed({})).toContain('There is no file at /a.md.')
  cleanup()
  expect(failed({ said: [{ reason: 'of.another-build', values: {} }] })).toContain('There is no file at /a.md.')
})

it('its editor is all in Chinese', async () => {
  const { card } = show(written)
  await userEvent.click(within(card).getByRole('button', { name: '编辑' }))
  const form = await screen.findByRole('form', { name: '编辑调用' })
  await userEvent.click(within(form).getByRole('radio', { name: 'JSON' }))
  fireEvent.change(within(form).getByRole('textbox', { name: 'JSON 形式的参数' }), { target: { value: '{"path": ' } })
  expect(within(form).getByRole('status').textContent).toBe('还不是 JSON：在第 1 行第 10 列过早结束。')
  expect(englishIn(form)).toEqual([])
})

it.each([
  [{ name: 'write_file', arguments: { path: '/b.md', content: 'two' } }, '你修改了 path 和 content。'],
  [{ name: 'write_file', arguments: { path: '/a.md', content: 'two' } }, '你修改了 content。'],
  [
    { name: 'append_file', arguments: { path: '/b.md', content: 'one' } },
    '你选择了 append_file，而不是 write_file，并修改了 path。',
  ],
])('names what was changed in a call: %j', (call, words) => {
  const { card } = show(written, { amendments: [amendment(call)] })
  expect(card.textContent).toContain(words)
  expect(within(card).getByText('红色的行是模型请求的，绿色的行是你的修改。')).toBeTruthy()
})

it('a guessed reading is shown beside the original', async () => {
  const { card } = show(
    '<tool_code>{"name":"write_file","arguments":{"path":"/a.md","content":"say "hi" now"}}</tool_code>',
  )
  expect(within(card).getByText('靠推测读取')).toBeTruthy()
  expect(await within(card).findByRole('group', { name: '原文与读取结果' })).toBeTruthy()
})

it('says why a call can’t run', () => {
  const { card } = show(code('read_fil', { path: '/a' }))
  expect(card.textContent).toContain('没有工具 read_fil。是不是指 read_file')
})

it('a finished call undoes its file changes', async () => {
  const vfs = createMemoryVfs()
  const origin = { kind: 'call', messageId: 'm1', slot: 0, attempt: 1, tool: 'write_file' } as const
  await vfs.recording(origin).write('/a.md', new TextEncoder().encode('one'))
  const { card } = show(written, {
    records: [record(0, { name: 'write_file', outcome: outcome({ result: { a: 1, b: [1] } }), finishedAt: 1 })],
    runtime: async () => ({ vfs }) as unknown as ToolRuntime,
  })
  const head = within(card).queryByRole('button', { expanded: false })
  if (head) await userEvent.click(head)
  expect(card.textContent).toContain('完成')
  await userEvent.click(await within(card).findByRole('button', { name: '撤销' }))
  expect(await within(card).findByText('已由你撤销')).toBeTruthy()
  expect(within(card).getByText('模型不知道你撤销了它。')).toBeTruthy()
})

it('unsent results are shown as such', () => {
  show(code('read_file', { path: '/a' }), {
    records: [record(0, { outcome: outcome(), finishedAt: 1 })],
    heldBack: '服务器拒绝了。',
  })
  expect(screen.getByRole('button', { name: '继续' })).toBeTruthy()
})
