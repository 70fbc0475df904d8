/* Programs and tests that use what the recipes added to the copy. */

/** Uses the tool's card text, the language, the route and the provider, and prints their output as JSON. */
export const useAdded = `
import * as health from '@/app/api/health/route'
import { languageAccepted } from '@/lib/base/text/languages'
import { loadMessagesOf } from '@/lib/i18n/load-messages'
import { tIn } from '@/lib/i18n/t'
import { decodeModelConfig } from '@/lib/server/models/config'
import { createModelProviders } from '@/lib/server/models/create-model-providers'
import { strategyModules } from '@/lib/protocols/registry'

const language = languageAccepted('de-AT,de;q=0.9')
const text = { loads: await loadMessagesOf(language), copy: tIn(language, 'card.copy'), missing: tIn(language, 'card.deny') }
await loadMessagesOf('zh-CN')
const tool = { zh: tIn('zh-CN', 'about.count_words'), de: tIn(language, 'tool.count-words', { count: 3 }) }
const strategy = strategyModules.find(({ id }) => id === 'Double_Bracket')?.summary[language]

const asked: unknown[] = []
const fetch = (url: unknown, init?: RequestInit) => {
  asked.push(String(url), new Headers(init?.headers).get('authorization'))
  const message = { role: 'assistant', content: 'Good day.' }
  return Promise.resolve(Response.json({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage: {} }))
}
const { providers, problems } = decodeModelConfig(null, { GROQ_API_KEY: 'a-key', NOD_OLLAMA: 'off' })
const demo = { strategies: [], formatCalls: () => '', delay: () => Promise.resolve(), stepMs: 0 }
const [groq] = createModelProviders(providers, { fetch: fetch as typeof globalThis.fetch, now: () => 0, demo })
const models = (await groq?.list(new AbortController().signal))?.map(({ id }) => id)
const model = groq?.languageModel('meta-llama/llama-4-scout-17b-16e-instruct')
const answer = await model?.doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }] })

console.log(JSON.stringify({
  language, text, tool, strategy,
  route: await health.GET().json(),
  provider: { problems, models, asked, content: answer?.content },
}))
`

/** Chooses the added menu item on a card, in English and in Chinese. */
export const chooseMenuItem = `// @vitest-environment jsdom
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import type { Segment } from '@/lib/protocols/types/segment'
import { speakTo } from '@/lib/base/text/languages'
import { callPiece, reply, textOf } from '../testing/fixtures'
import { renderMessage } from '../testing/render-message'

const segmentsOf = new WeakMap<AssistantMessage, readonly Segment[]>()
vi.mock('@/lib/client/state/parsed-reply', () => ({
  parsedReply: (message: AssistantMessage) => ({ type: 'mixed', segments: segmentsOf.get(message) ?? [] }),
}))
afterEach(() => {
  cleanup()
  speakTo('en')
})

it.each([
  ['en', 'More', 'Copy the arguments'],
  ['zh-CN', '更多', '复制参数'],
])('copies the arguments, in %s', async (language, more, label) => {
  speakTo(language)
  const user = userEvent.setup()
  const { text, segments } = textOf([callPiece('delete_path', { path: '/a.md' })])
  const message = reply({ text })
  segmentsOf.set(message, segments)
  renderMessage({ message, tools: { defaultToolEnabled: true } })
  const [card] = screen.getAllByRole('group')
  await user.click(within(card ?? document.body).getByRole('button', { name: more }))
  await user.click(screen.getByRole('menuitem', { name: label }))
  expect(JSON.parse(await navigator.clipboard.readText())).toEqual({ path: '/a.md' })
})
`
