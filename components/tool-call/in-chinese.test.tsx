// @vitest-environment jsdom
import { act, cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { speakTo } from '@/lib/base/text/languages'
import { stoppedWithOthers } from '@/lib/shared/conversation/stopped-outcome'
import { loadMessages } from '@/lib/i18n/load-messages'
import { outcome, record, reply } from './testing/fixtures'
import { renderMessage, type Scene } from './testing/render-message'

vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))

beforeAll(async () => {
  await loadMessages('zh-CN', 'all')
})
beforeEach(() => speakTo('zh-CN'))
afterEach(() => {
  cleanup()
  act(() => speakTo('en'))
})

const call = (name: string, args: object) => `<tool_code>${JSON.stringify({ name, arguments: args })}</tool_code>`
const read = call('read_file', { path: '/a.md' })
const list = call('list_directory', { path: '/b' })
const run = call('browser_js_eval', { code: '1 + 1' })
const show = (text: string, scene: Omit<Scene, 'message'> = {}) => renderMessage({ ...scene, message: reply({ text }) })

/** Names that stay unchanged, and text that the tests give the model or the user. */
const kept = /read_file|list_directory|browser_js_eval|XML_Tag|Hermes|token|\b[KM]?B\b|⌘|Ctrl|\/[\w./]+|“[^”]*”/gi

/** The texts and button labels of cards, without quoted content. */
function said(view: { readonly container: HTMLElement }): readonly string[] {
  const parts = view.container.querySelectorAll(
    '[data-part=say], [data-part=meta], [data-part=foot], [data-batch], [role=tab]',
  )
  return [...parts].map((part) => {
    const own = part.cloneNode(true) as HTMLElement
    for (const quoted of own.querySelectorAll('code, kbd, pre')) quoted.remove()
    const labels = [...own.querySelectorAll('[aria-label], [placeholder]')].map(
      (one) => `${one.getAttribute('aria-label') ?? ''} ${one.getAttribute('placeholder') ?? ''}`,
    )
    return `${own.textContent} ${labels.join(' ')}`.replaceAll(kept, '')
  })
}

const unfold = async () => {
  const head = screen.getAllByRole('group')[0]?.querySelector(':scope > button[aria-expanded=false]')
  if (head) await userEvent.setup().click(head)
}

const changes = [{ path: '/a.md', kind: 'file', change: 'changed', size: 3 } as const]
const by = { kind: 'click' } as const
const stopped = { at: 5, outcome: outcome({ status: 'cancelled', durationMs: 900 }) }

it.each<[string, string, Omit<Scene, 'message'>]>([
  ['ran by itself', read, { records: [record(0, { by: { kind: 'auto' }, outcome: outcome(), postedIn: 'u2' })] }],
  [
    'changed files that were not kept, and printed',
    run,
    {
      records: [
        record(0, {
          name: 'browser_js_eval',
          outcome: outcome({
            console: [{ level: 'log', text: '1', atMs: 1 }],
            files: { changes, total: 1, kept: false },
          }),
        }),
      ],
    },
  ],
  [
    'failed',
    run,
    {
      records: [record(0, { name: 'browser_js_eval', outcome: outcome({ status: 'error', result: { error: '1' } }) })],
    },
  ],
  ['was left out', read, { records: [record(0, { decision: 'skip', by: { kind: 'limit', maxCalls: 3 } })] }],
  [
    'was kept back',
    read,
    {
      records: [
        record(0, { gated: true, outcome: outcome(), release: { kind: 'withheld', note: 'No.', by, releasedAt: 9 } }),
      ],
    },
  ],
  [
    'went out changed',
    read,
    {
      records: [
        record(0, {
          gated: true,
          outcome: outcome(),
          release: { kind: 'changed', by, result: 'x', changes: ['trimmed', 'redacted'], note: 'No.', releasedAt: 9 },
        }),
      ],
    },
  ],
  ['was interrupted', read, { records: [record(0)] }],
  [
    'was stopped with another',
    `${read}\n${list}`,
    { records: [record(0, { stopped }), record(1, { name: 'list_directory', stopped: stoppedWithOthers(5) })] },
  ],
  ['waits with others', `${read}\n${list}`, {}],
  ['is cut off behind its values', read.slice(0, -'</tool_code>'.length - 1), {}],
])('a call that %s has only Chinese text', async (_, text, scene) => {
  const view = show(text, scene)
  await unfold()
  const words = said(view)
  expect(words.join('')).toMatch(/\p{sc=Han}/u)
  expect(words.filter((one) => /[A-Za-z]{2,}/.test(one))).toEqual([])
})

it('a waiting result has only Chinese text', async () => {
  const view = show(read, { records: [record(0, { gated: true, outcome: outcome() })] })
  await within(view.container).findByRole('button', { name: '发送结果' })
  expect(said(view).filter((one) => /[A-Za-z]{2,}/.test(one))).toEqual([])
  expect(screen.getByRole('radiogroup', { name: '发送多少' })).toBeTruthy()
})

it('a card’s text follows the language in place, even if nothing else of it changes', async () => {
  speakTo('en')
  show(read, { records: [record(0, { decision: 'skip' })] })
  await unfold()
  expect(screen.getByText('You skipped this, so it did not run.')).toBeTruthy()
  act(() => speakTo('zh-CN'))
  expect(screen.getByText('你跳过了它，因此它没有运行。')).toBeTruthy()
})
