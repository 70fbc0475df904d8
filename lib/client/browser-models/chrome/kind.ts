import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { isJsonObject, type JsonObject } from '@/lib/base/json'
import { t } from '@/lib/i18n/t'
import { type BrowserModelKind, infoOfConfig } from '../browser-model'
import { chromeModelOf, type ChromeLanguageModel, type ChromePrompt, type ChromeSession } from './prompt-api'

/** Each reply uses its own session, which starts with the earlier messages and gets the last one as its prompt. */
export const chromeKind = (window: object): BrowserModelKind => ({
  id: 'chrome',
  open(config) {
    const model = chromeModelOf(window)
    const why = 'there is none'
    if (!model) return Promise.reject(new Error(t('chrome.failed', { why })))
    const languageModel = (fields?: JsonObject) => modelOf(model, fields)
    return Promise.resolve({ info: infoOfConfig(config), languageModel, dispose() {} })
  },
})

const modelOf = (chrome: ChromeLanguageModel, fields: JsonObject = {}): LanguageModelV4 => ({
  specificationVersion: 'v4',
  provider: 'chrome',
  modelId: 'built-in',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('replies are streamed')),
  async doStream({ prompt, abortSignal: signal }) {
    const prompts = promptsOf(prompt)
    const session = await chrome.create({ initialPrompts: prompts.slice(0, -1), ...(signal && { signal }) })
    const options = { ...(signal && { signal }), ...constraintOf(fields) }
    const words = askOf(session, prompts.slice(-1), options).getReader()
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      async pull(out) {
        try {
          const { done, value } = await words.read()
          if (!done) return out.enqueue({ type: 'text-delta', id: '0', delta: value })
          const total = tokens(session.contextUsage)
          out.enqueue({
            type: 'finish',
            finishReason: { unified: 'stop', raw: undefined },
            usage: {
              inputTokens: { total, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
              outputTokens: { total: undefined, text: undefined, reasoning: undefined },
            },
          })
          out.close()
        } catch (error) {
          out.error(error)
        }
        session.destroy()
      },
      async cancel(reason) {
        await words.cancel(reason).catch(() => {})
        session.destroy()
      },
    })
    return { stream }
  },
})

/** A synchronous error counts as an answer, too: the session is released. */
function askOf(session: ChromeSession, ...args: Parameters<ChromeSession['promptStreaming']>): ReadableStream<string> {
  try {
    return session.promptStreaming(...args)
  } catch (error) {
    session.destroy()
    throw error
  }
}

/** The prompt already describes the format: with the schema in it, too, a small window would hold less of the chat. */
function constraintOf({ responseConstraint }: JsonObject) {
  return isJsonObject(responseConstraint) ? { responseConstraint, omitResponseConstraintInput: true } : {}
}

const tokens = (count: number | undefined): number | undefined =>
  count !== undefined && Number.isFinite(count) ? Math.round(count) : undefined

/** Only text is sent: a session that was not created for images would refuse them. */
function promptsOf(prompt: LanguageModelV4Prompt): readonly ChromePrompt[] {
  return prompt.flatMap((message): readonly ChromePrompt[] => {
    if (message.role === 'system') return [{ role: 'system', content: message.content }]
    if (message.role === 'tool') return []
    const parts: readonly { readonly type: string; readonly text?: string }[] = message.content
    const content = parts.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('')
    return [{ role: message.role, content }]
  })
}
